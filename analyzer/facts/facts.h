#pragma once
// A function as facts: per block of its CFG, what happens to the values that the analyzer follows.
// Plain values, nothing of the unit's AST.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analyzer/facts/choice.h"
#include "analyzer/facts/device.h"
#include "analyzer/facts/element.h"
#include "analyzer/facts/formula.h"
#include "analyzer/facts/pointer_use.h"
#include "analyzer/facts/table.h"
#include "analyzer/facts/value_type.h"
#include "analyzer/models/api_models.h"

namespace xfer::analyzer {

/// How the host touches the memory that a pointer points to.
enum class HostAccess : std::uint8_t {
  kFollowed,  ///< `*p`, `p[i]`
  kCalled,    ///< by a call that follows the pointer: memcpy, std::copy
  kAccessor,  ///< by an accessor, which is for the host
  kWrapped,   ///< by from_blob, which takes it for host memory
};

/// A source range. Macro uses count as where they are written.
struct Spot {
  FileId file;              ///< none: it is nowhere
  std::uint32_t at = 0;     ///< offset of where it starts
  std::uint32_t begin = 0;  ///< its text, by offsets in the file; empty: it has none of its own
  std::uint32_t end = 0;
  std::uint32_t line = 0;  ///< of `at`, as the compiler tells it
  std::uint32_t column = 0;
  bool macro = false;  ///< it starts or ends in a macro's use: nothing to replace
  bool starts_in_macro = false;
};

enum class Pass : std::uint8_t { kValue, kMutable };

/// The written form of an argument, where a rank can be read from it.
enum class Form : std::uint8_t { kOther, kEmptyBraces, kBraces, kSlices, kScalar, kRange };

/// Which element of a list an index names. Elements of equal numbers are one element, while nothing
/// changes the list or the index. 0: not known.
using ElementKey = std::uint32_t;
/// From here on: what a variable says that changes are told of by this name, see fact::Change.
inline constexpr ElementKey kFirstNamedKey = 0x1000000;

struct Operand {
  ValueId value;
  PlaceId place;
  PlaceId whole;       ///< of an element, `v[i]`: what it is an element of
  ElementKey key = 0;  ///< which one it is, of an address that the callee may store to
  Pass pass = Pass::kValue;
  Form form = Form::kOther;
  Role role = Role::kNone;
  bool address =
      false;  ///< the callee gets the address of `place`, or a reference to it, and may store there
  /// Of a launch: what the kernel does with it; null: it is not known which kernel it is.
  std::shared_ptr<ParameterUse> use;
  SpotId spot;
  FunctionId function;  ///< that it is, or that its object runs; none: not known
};

enum class CallForm : std::uint8_t { kFunction, kConstruct, kNewModule, kKernel };

/// How many bytes a call is told.
struct Size {
  std::string text;  ///< as written
  Formula bytes;
  std::uint64_t element = 0;  ///< the bytes of what the pointer points to; 0: not known
  bool of_pointer = false;    ///< it is the sizeof of the pointer that is copied through
};

/// Where in what it copies to and from a copy begins: the bytes behind what its pointers held when
/// they were made.
struct Extent {
  Formula to, from;
  /// All the bytes of the array or the vector that a pointer is the beginning of; none: it is no
  /// such pointer.
  Formula to_has, from_has;
  SpotId to_made, from_made;  ///< another function allocates it there
};

struct Call {
  const FunctionModel* model = nullptr;
  FunctionId callee;  ///< whose summary applies
  FunctionId named;   ///< without a callee: a virtual method, or what overrides it, is called
  FunctionId kernel;  ///< of a launch: the kernel, where its body is not here
  /// For the parameters of `callee`, its object (kThisParameter) behind them.
  std::vector<GivenValue> given;
  /// Of the caller: it holds the function that is called.
  std::optional<std::uint32_t> parameter;
  CallForm form = CallForm::kFunction;
  std::string name;
  bool has_receiver = false;
  Operand receiver;
  std::vector<Operand> arguments;
  ValueType result;
  bool library = false;  ///< of a modelled library or std: keeps tensor arguments as they are
  bool system = false;   ///< of the system or the CUDA toolkit, in C: keeps no pointers, knows
                         ///< nothing of the program
  Direction direction = Direction::kUnknown;  ///< of a copy of memory
  std::shared_ptr<Extent> extent;             ///< likewise
  Size size;                                  ///< of a copy and of what allocates
  /// The numbers, the pointers and the vectors that it passes, by its callee's parameters: of a
  /// pointer where it points, of a vector how many elements it has.
  std::vector<Formula> numbers;
  bool quiet = false;         ///< it leaves the numbers alone that others can name
  bool in_place = false;      ///< of a library: its name says that it changes its first tensor
  bool runs_forward = false;  ///< its name is that of what calling a module runs
  bool asks_time = false;
  bool at_once = false;             ///< it waits for no device
  bool second_try = false;          ///< a free that makes up for one that did not succeed
  bool discarded = false;           ///< nothing uses the result
  bool converts = false;            ///< an element type is given
  bool names_cpu = false;           ///< the CPU is written as an argument, kCPU and the like
  bool forces_copy = false;         ///< copy = true
  bool non_blocking = false;        ///< non_blocking = true
  std::optional<bool> flag;         ///< the first argument that is a constant truth value
  std::string pageable;             ///< from_blob: what owns the memory, where it cannot be pinned
  bool has_dims = false;            ///< a dimension is given
  bool receiver_temporary = false;  ///< the receiver comes from no variable
  bool receiver_assignable =
      false;                  ///< the receiver is a tensor variable or field that may be assigned
  ClassId receiver_record;    ///< of a module
  std::string receiver_name;  ///< the variable or field that the receiver is
  Spot newest_name;           ///< the last declared of the local names in the call
  bool expects_failure = false;  ///< a test expects it to throw, or to say that it failed
  std::string conversion;        ///< the arguments other than devices, as written
  SpotId spot;
  SpotId callee_spot;  ///< where a person looks for the call: its name or operator
};

/// A function that makes, or (`transform`) changes, what a loader hands out.
struct BatchMaker {
  FunctionId function;
  bool transform = false;
};

/// The one fact that is known of an otherwise unknown new value.
enum class Known : std::uint8_t {
  kNothing,
  kEmpty,           ///< a tensor that is undefined, a record or a tuple of which no part is set, a
                    ///< handle that holds no module
  kDeviceChoice,    ///< a device that is chosen when the program runs
  kHost,            ///< ordinary memory of the host
  kHostVariable,    ///< the same, with a name of its own to change it by
  kDeviceVariable,  ///< memory of a device that has a name: __device__, __constant__
};

/// Why a place is read.
enum class LoadFor : std::uint8_t {
  kValue,
  kTarget,    ///< it is the left side of an assignment
  kAssigned,  ///< it is the value of an assignment, if anything uses it
};

/// The events in a function, one per fact. "Value" is the value that the fact makes.
namespace fact {

/// Value := what `place` holds.
struct Load {
  PlaceId place;
  LoadFor why = LoadFor::kValue;
};
/// `place` := `from`.
struct Store {
  PlaceId place;
  ValueId from;
  Role role = Role::kNone;
};
/// Value := a field of `object`.
struct FieldOf {
  ValueId object;
  FieldId field;
};
/// Value := a device that is written out.
struct DeviceIs {
  Device device;
};
/// Value := an element type.
struct ElementIs {
  Element element = Element::kUnknown;
};
/// Value := `a` or `b`.
struct Select {
  ValueId a, b;
  ValueType type;
};
/// Value := a copy of `from`: an object of its own, where it has parts.
struct Copy {
  ValueId from;
};
struct List {
  std::vector<ValueId> elements;
  std::vector<SpotId> spots;  ///< of the elements, if they are written there
  bool anywhere = false;      ///< it has elements that are not these
};
struct Tuple {
  std::vector<ValueId> parts;
};
/// Value := an element of `whole`.
struct ElementOf {
  ValueId whole;
  ValueType type;
  ElementKey key = 0;
};
/// `element` becomes an element of `list`.
struct Put {
  ValueId list, element;
  ElementKey key = 0;  ///< which one it is then
};
/// Value := one part of `tuple`.
struct PartOf {
  ValueId tuple;
  std::uint32_t index = 0;
  ValueType type;
};
/// Value := something new, of which nothing is known but `known`.
struct Fresh {
  ValueType type;
  Known known = Known::kNothing;
  const char* reason = nullptr;  ///< why; null: nothing was lost
  ValueId kind = {};             ///< of a device choice: of which kind it is
  VariableId variable = {};      ///< of a device, and constant: the memory is always this one
};
/// Value := what the dataset of `makers` hands out, in turn; none: a library's dataset on the CPU.
struct Batch {
  ValueType type;
  std::vector<BatchMaker> makers;
};
/// `what` is held where the flow does not follow it: modules in it may be moved by others.
struct Share {
  ValueId what;
  bool written = false;  ///< others may write to its data
};
/// `lambda` has captured a value: its parameter behind what is declared.
struct Capture {
  FunctionId lambda;
  std::uint32_t parameter = 0;
  ValueId value;  ///< none: it may be another one when the lambda runs
};
/// `what` was given to code that may change it.
struct Lose {
  ValueId what;
  const char* reason = nullptr;
};
/// Value := a call's result.
struct Invoke {
  CallId call;
};
/// A variable ends.
struct End {
  VariableId variable;
};
/// The host reads or writes what a pointer points to.
struct Access {
  ValueId pointer;
  HostAccess how = HostAccess::kFollowed;
  bool writes = false;   ///< perhaps
  bool part = false;     ///< by a loop that leaves out elements at its start, or in between
  bool polls = false;    ///< it waits for what a device writes there, or reads a volatile there
  std::string function;  ///< that does it, if one does
  VariableId variable;   ///< that the pointer is
  PlaceId place;         ///< of the pointer
  SpotId spot;           ///< the pointer
};
/// A pointer into `object`, a transfer's result, outlives the statement.
struct KeepPointer {
  ValueId object;
  SpotId spot;  ///< the transfer
};
struct Return {
  ValueId value;
};
/// The number that formulas, extents and indices call `name` may have changed.
struct Change {
  std::uint32_t name = 0;
  Formula to;  ///< of what held before
  /// It is a field, a number or a pointer: of the object in this place; PlaceId(): of any.
  std::optional<PlaceId> in = {};
};
/// The current CUDA device := `device`.
struct SetCurrent {
  ValueId device;    ///< none: it stays
  VariableId guard;  ///< at whose end it is again what it was; none: no guard does it
};
/// Temporaries end.
struct EndStatement {};

}  // namespace fact

using FactBody =
    std::variant<fact::EndStatement, fact::Load, fact::Store, fact::FieldOf, fact::DeviceIs,
                 fact::ElementIs, fact::Select, fact::Copy, fact::List, fact::Tuple,
                 fact::ElementOf, fact::Put, fact::PartOf, fact::Fresh, fact::Batch, fact::Share,
                 fact::Lose, fact::Invoke, fact::End, fact::Access, fact::KeepPointer, fact::Return,
                 fact::Change, fact::SetCurrent, fact::Capture>;

struct Fact {
  ValueId value;  ///< that it makes
  SpotId spot;
  FactBody what;

  template <class What>
  const What* as() const {
    return std::get_if<What>(&what);
  }
  template <class What>
  bool is() const {
    return std::holds_alternative<What>(what);
  }
};

struct Variable {
  std::string name;
  ValueType type;
  bool tracked = true;  ///< false: others may change it, nothing is known of it
  bool global = false;
  FieldId field;  ///< a global's, as one of the program's fields; none: it is not followed
  bool constant = false;
  bool reference = false;  ///< a reference parameter: the caller sees what is stored
  std::uint32_t parameter = ~0U;
  bool may_be_cuda = false;        ///< a device: some run has CUDA in it
  bool referred = false;           ///< other functions see it: lambdas and what is around them
  bool unused_on_purpose = false;  ///< marked or named so
  bool pointer = false;            ///< points into the tensor that is its value
  SpotId given;                    ///< of a pointer: where it was first taken
  bool guards_current = false;     ///< while it lives the current CUDA device is another one

  /// A followed array of the program's: memory that is the same for ever.
  bool is_global_array() const {
    return global && field != FieldId() && type.role == Role::kMemory && !type.handle;
  }
};

struct Place {
  VariableId root;
  std::vector<FieldId> fields;
};

struct Block {
  std::vector<Fact> facts;
  std::vector<BlockId> successors, predecessors;
  bool device_query = false;   ///< its branch asks where something is
  bool device_choice = false;  ///< its branch depends on which devices there are
  bool data_choice = false;    ///< its branch asks what the run computes: no caller settles it
  VariableId present;          ///< its branch asks whether this one is there, and nothing else
  BlockId failed;  ///< its branch asks whether a call failed: where it goes on if it did
  SpotId loop;     ///< of a loop's head: the loop statement, if it stands in a block of its own
  bool leaves = false;   ///< ends by an exception or a call that does not return
  bool catches = false;  ///< exceptions of a try block lead there, and on to its handlers
};

/// Yes or no, for each block.
using BlockFlags = Table<BlockId, bool, std::vector<bool>>;

inline constexpr VariableId kThisVariable{0};

struct FunctionFacts {
  FunctionId function;
  std::string name;
  Table<BlockId, Block> blocks;
  BlockId entry, exit;
  std::vector<VariableId> parameters;
  std::vector<std::uint32_t> parameter_names;  ///< see Change; by parameter, as far as sizes go
  Table<VariableId, Variable> variables;       ///< 0: this
  Table<PlaceId, Place> places;                ///< 0: none
  Table<CallId, Call> calls;
  Table<SpotId, Spot> spots;                 ///< 0: none
  std::vector<Term> terms;                   ///< of formulas, by number
  std::vector<std::uint32_t> outside_names;  ///< see Change: other functions may change these too
  /// Of calls that wait: the calls that began work on other streams, for which they do not wait.
  std::map<CallId, std::vector<CallId>> not_waited_for;
  std::vector<BlockId> order;  ///< reverse post order
  BlockFlags loop_head;
  bool is_constructor = false;
  bool initialises = false;    ///< what the unit's globals are made with: it runs before main
  bool is_forward = false;     ///< its name is that of what calling a module runs
  bool gradients_off = false;  ///< a guard in here switches gradients off
  bool unreadable = false;     ///< some statement did not parse: what the whole does is not known
  ClassId this_class;
};

/// The call that a fact is; null: it is none.
inline const Call* call_of(const FunctionFacts& facts, const Fact& fact) {
  const auto* invoked = fact.as<fact::Invoke>();
  return invoked == nullptr ? nullptr : &facts.calls[invoked->call];
}

/// The fact, or the call that it is, uses the value.
bool uses(const FunctionFacts& facts, const Fact& fact, ValueId value);

}  // namespace xfer::analyzer
