#pragma once
// A function as facts: per block of its CFG, what happens to the values that the analyzer follows.
// The facts_*.cc files are the only ones that read the AST; everything after them sees this.

#include <llvm/ADT/DenseMap.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/api_models.h"
#include "analyzer/state.h"
#include "analyzer/types.h"
#include "analyzer/unreadable.h"

namespace clang {
class ASTContext;
class CXXRecordDecl;
class FieldDecl;
class FunctionDecl;
class ValueDecl;
}  // namespace clang

namespace xfer::analyzer {

using PlaceId = std::uint32_t;  ///< 0: none
using CallId = std::uint32_t;

enum class FactKind : std::uint8_t {
  kLoad,          ///< value := what `place` holds
  kStore,         ///< `place` := operand 0
  kFieldOf,       ///< value := field `index` of operand 0
  kDevice,        ///< value := `device`
  kElementType,   ///< value := the element type `element`
  kSelect,        ///< value := operand 0 or operand 1
  kPass,          ///< value := operand 0
  kList,          ///< value := a list of the operands
  kTuple,         ///< value := a tuple of the operands
  kElement,       ///< value := an element of operand 0
  kPut,           ///< operand 1 becomes an element of operand 0
  kTupleElement,  ///< value := part `index` of operand 0
  kFresh,         ///< value := something new of `role`, of which nothing is known but `index`
  kBatch,         ///< value := what the dataset of `makers` hands out
  kShare,  ///< operand 0 is held where the flow does not follow it: modules in it may be moved by
           ///< others
  kLose,   ///< operand 0 was given to code that may change it; `reason` says to what
  kCall,   ///< value := `call`
  kEnd,    ///< variable `index` ends
  kHostAccess,    ///< the host reads or writes what pointer operand 0 points to
  kKeepPointer,   ///< a pointer into operand 0, a transfer's result, outlives the statement
  kReturn,        ///< the function returns operand 0
  kChange,        ///< what extents call `index` may be another number now
  kEndStatement,  ///< temporaries end
};

/// How the host touches the memory that a pointer points to.
enum class HostAccess : std::uint8_t {
  kFollowed,  ///< `*p`, `p[i]`
  kCalled,    ///< by a call that follows the pointer: memcpy, std::copy
  kAccessor,  ///< by an accessor, which is for the host
  kWrapped,   ///< by from_blob, which takes it for host memory
};

struct Spot {
  std::uint32_t begin = 0;  ///< raw encodings of clang::SourceLocation
  std::uint32_t end = 0;
};

enum class Pass : std::uint8_t { kValue, kMutable };

/// The written form of an argument, where a rank can be read from it.
enum class Form : std::uint8_t { kOther, kEmptyBraces, kBraces, kSlices, kScalar, kRange };

struct Operand {
  ValueId value = 0;
  PlaceId place = 0;
  PlaceId whole = 0;  ///< of an element, `v[i]`: what it is an element of
  Pass pass = Pass::kValue;
  Form form = Form::kOther;
  Role role = Role::kNone;
  bool address =
      false;  ///< the callee gets the address of `place`, or a reference to it, and may store there
  SpotId spot = 0;
  /// That it is, or that its object runs; null: not known.
  const clang::FunctionDecl* function = nullptr;
};

enum class CallForm : std::uint8_t { kFunction, kConstruct, kNewModule, kKernel };

/// cudaMemcpyKind.
enum class Direction : std::uint8_t {
  kUnknown,
  kHostToHost,
  kHostToDevice,
  kDeviceToHost,
  kDeviceToDevice
};

/// How many bytes a call is told.
struct Size {
  std::string text;           ///< as written
  std::string count;          ///< the factors but for the first sizeof
  std::uint64_t element = 0;  ///< what that sizeof is; 0: none
  std::uint64_t bytes = 0;    ///< where it is a constant
  bool of_pointer = false;    ///< it is the sizeof of the pointer that is copied through
};

/// Which part of what is copied to which part of what.
struct Extent {
  std::string to, from;  ///< what is added to the pointers, as written
  std::string bytes;
  std::vector<std::uint32_t>
      names;  ///< numbers of what these speak of and the function may change, see kChange
  bool comparable = false;  ///< equal texts are equal parts, as long as nothing of that changed
  bool outside = false;     ///< other functions may change some of it
};

inline bool names(const Extent& extent, std::uint32_t name) {
  return std::find(extent.names.begin(), extent.names.end(), name) != extent.names.end();
}

struct Call {
  const FunctionModel* model = nullptr;
  const clang::FunctionDecl* callee = nullptr;  ///< whose summary applies; null: none
  const clang::Expr* written = nullptr;
  /// Of the caller: it holds the function that is called.
  std::optional<std::uint32_t> parameter;
  CallForm form = CallForm::kFunction;
  std::string name;
  bool has_receiver = false;
  Operand receiver;
  std::vector<Operand> arguments;
  TypeInfo result;
  bool library = false;  ///< of a modelled library or std: keeps tensor arguments as they are
  bool system = false;   ///< of the system or the CUDA toolkit, in C: keeps no pointers, knows
                         ///< nothing of the program
  Direction direction = Direction::kUnknown;  ///< of a copy of memory
  Extent extent;                              ///< likewise
  Size size;                                  ///< of a copy and of what allocates
  bool discarded = false;                     ///< nothing uses the result
  bool converts = false;                      ///< an element type is given
  bool names_cpu = false;           ///< the CPU is written as an argument, kCPU and the like
  bool forces_copy = false;         ///< copy = true
  bool non_blocking = false;        ///< non_blocking = true
  std::optional<bool> flag;         ///< the first argument that is a constant truth value
  std::string pageable;             ///< from_blob: what owns the memory, where it cannot be pinned
  bool has_dims = false;            ///< a dimension is given
  bool receiver_temporary = false;  ///< the receiver comes from no variable
  bool receiver_assignable =
      false;  ///< the receiver is a tensor variable or field that may be assigned
  const clang::CXXRecordDecl* receiver_record = nullptr;  ///< of a module
  std::string receiver_name;   ///< the variable or field that the receiver is
  Spot newest_name;            ///< the last declared of the local names in the call
  bool expects_throw = false;  ///< written inside a macro that expects an exception
  std::string conversion;      ///< the arguments other than devices, as written
  SpotId spot = 0;
  SpotId callee_spot = 0;  ///< where a person looks for the call: its name or operator
};

/// A function that makes, or (`transform`) changes, what a loader hands out.
struct BatchMaker {
  const clang::FunctionDecl* function = nullptr;
  bool transform = false;
};

/// Of kFresh, in `index`: what is known of it all the same.
inline constexpr std::uint32_t kFreshEmpty =
    1;  ///< a record of which no field is set, a handle that holds no module
inline constexpr std::uint32_t kFreshDevice = 2;  ///< a device that is chosen when the program runs
inline constexpr std::uint32_t kFreshHost = 3;    ///< ordinary memory of the host
inline constexpr std::uint32_t kFreshVariable =
    4;  ///< the same, with a name of its own to change it by

/// Of kLoad, in `index`: why it is there, when not because the value is read.
inline constexpr std::uint32_t kLoadOfTarget = 1;  ///< the left side of an assignment
inline constexpr std::uint32_t kLoadOfAssigned =
    2;  ///< the value of an assignment, if anything uses it

struct Fact {
  FactKind kind = FactKind::kEndStatement;
  Role role = Role::kNone;
  ValueId value = 0;
  PlaceId place = 0;
  std::uint32_t index = 0;
  CallId call = 0;
  Device device;
  Element element = Element::kUnknown;
  SpotId spot = 0;
  std::vector<ValueId> operands;
  std::vector<SpotId> spots;       ///< of the operands of kList
  std::vector<BatchMaker> makers;  ///< of kBatch: in turn; none: a library's dataset on the CPU
  const char* reason = nullptr;
  HostAccess access = HostAccess::kFollowed;
  bool writes = false;  ///< of kHostAccess: perhaps
  std::string text;     ///< of kHostAccess: the function called
  const clang::CXXRecordDecl* record = nullptr;
};

struct Variable {
  std::string name;
  TypeInfo type;
  bool tracked = true;  ///< false: others may change it, nothing is known of it
  bool global = false;
  bool constant = false;
  bool reference = false;  ///< a reference parameter: the caller sees what is stored
  std::uint32_t parameter = ~0U;
  const clang::ValueDecl* decl = nullptr;
  bool referred = false;           ///< other functions see it: lambdas and what is around them
  bool unused_on_purpose = false;  ///< marked or named so
  bool pointer = false;            ///< points into the tensor that is its value
  SpotId given = 0;                ///< of a pointer: where it was first taken
};

struct Place {
  VariableId root = 0;
  std::vector<FieldId> fields;
};

struct Field {
  std::string name;
  TypeInfo type;
  const clang::FieldDecl* decl = nullptr;
  bool registered = false;  ///< a module's field that register_* made a part of it
  bool unreadable = false;  ///< named in a statement that did not parse
};

/// The fields that the functions of a unit speak of. A field has one number in all of them, so that
/// what is known of it in one function can be told to another.
class FieldTable {
 public:
  FieldTable(Types& types, const Unreadable& unreadable) : types_(types), unreadable_(unreadable) {}
  FieldId id(const clang::FieldDecl& decl);
  const Field& operator[](FieldId id) const { return fields_[id]; }
  std::size_t size() const { return fields_.size(); }

 private:
  Types& types_;
  const Unreadable& unreadable_;
  std::deque<Field> fields_;  ///< references stay good
  llvm::DenseMap<const clang::FieldDecl*, FieldId> ids_;
};

struct Block {
  std::vector<Fact> facts;
  std::vector<BlockId> successors, predecessors;
  bool device_query = false;   ///< its branch asks where something is
  bool device_choice = false;  ///< its branch depends on which devices there are
  SpotId loop = 0;  ///< of a loop's head: the loop statement, if it stands in a block of its own
  bool leaves = false;  ///< ends by an exception or a call that does not return
};

inline constexpr VariableId kThisVariable = 0;

struct FunctionFacts {
  explicit FunctionFacts(FieldTable& table) : fields(table) {}

  const clang::FunctionDecl* function = nullptr;
  std::string name;
  std::vector<Block> blocks;
  BlockId entry = 0, exit = 0;
  std::vector<VariableId> parameters;
  std::vector<Variable> variables;  ///< 0: this
  FieldTable& fields;
  std::vector<Place> places;  ///< 0: none
  std::vector<Call> calls;
  std::vector<Spot> spots;     ///< 0: none
  std::vector<BlockId> order;  ///< reverse post order
  std::vector<bool> loop_head;
  bool is_constructor = false;
  bool gradients_off = false;  ///< a guard in here switches gradients off
  bool unreadable = false;     ///< some statement did not parse: what the whole does is not known
  const clang::CXXRecordDecl* this_class = nullptr;
};

/// Reads one function's body. Null: no body, no CFG, or more blocks than the cap.
class FactsBuilder {
 public:
  FactsBuilder(clang::ASTContext& context, const ModelSet& models, Types& types, FieldTable& fields,
               const Unreadable& unreadable, unsigned block_cap);
  ~FactsBuilder();
  std::unique_ptr<FunctionFacts> build(const clang::FunctionDecl& function);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace xfer::analyzer
