#pragma once
// What is known at one point of a function: which object each variable, field and temporary holds,
// and where each object is. No Clang types.
//
// Tensors and module handles are shared handles, so variables hold object ids and the objects hold
// the facts. An object id names the place that made the value (a fact, a parameter, a join);
// executing that place again retires the older value under another id.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/facts/element.h"
#include "analyzer/facts/ids.h"
#include "analyzer/flow/flat_map.h"
#include "analyzer/flow/holder.h"
#include "analyzer/flow/lattice.h"

namespace xfer::analyzer {

using ObjectId = std::uint32_t;  ///< 0: none
using VersionId = ObjectId;      ///< ids of one table: an object's first version is its own id

/// Variables from here on keep what module parameters held at the start.
inline constexpr VariableId kFirstHiddenVariable = 0x40000000;
/// Pointers hold no tensor alive, so they have slots of their own: this plus the variable.
inline constexpr VariableId kFirstPointer = 0x50000000;
inline constexpr VariableId kPastPointers = 0x60000000;
inline constexpr VariableId kReturnVariable = 0x7fffffff;

/// Fields with these numbers are parts of tuples and elements of lists.
inline constexpr FieldId kFirstElement = 0x10000000;
inline constexpr FieldId kFirstAppended = 0x18000000;

/// What made an object, a version or a symbol.
enum class Origin : std::uint8_t {
  kNone,
  kFact,
  kParameter,
  kThis,
  kField,
  kVariable,
  kJoin,
  kOlder,
  kWrite,
  kJoinedWrite
};

/// Interns what made a thing, so that equal origins are equal ids.
class OriginTable {
 public:
  struct Entry {
    Origin origin;
    std::uint32_t a, b, c;
    BlockId
        block;  ///< the block whose execution makes it; kNoBlock: there before the function starts
  };

  OriginTable() { entries_.push_back({Origin::kNone, 0, 0, 0, kNoBlock}); }
  ObjectId intern(Origin origin, std::uint32_t a, std::uint32_t b, std::uint32_t c, BlockId block);
  const Entry& operator[](ObjectId id) const { return entries_[id]; }

 private:
  std::vector<Entry> entries_;
  std::map<std::tuple<Origin, std::uint32_t, std::uint32_t, std::uint32_t>, ObjectId> ids_;
};

/// A device that is not known, but is one.
struct Symbol {
  Origin origin = Origin::kNone;
  std::uint32_t parameter = 0;  ///< of kParameter: its number
  ObjectId base = 0;            ///< of kField: whose field, and which
  FieldId field = 0;
  bool initial = false;    ///< of kField: as the function found it
  bool of_device = false;  ///< a device value from outside, not where some tensor or module is
  bool may_cpu = false;    ///< some run has the CPU here
  bool may_cuda = false;   ///< some run has CUDA here
  BlockId block = kNoBlock;
  SpotId chosen = 0;      ///< where it was chosen
  SpotId made = 0;        ///< the code that put something there
  bool returned = false;  ///< where the function given as `parameter` puts its result ...
  Device given;           ///< ... for a tensor here
  std::string name;       ///< of the variable that holds it
  std::optional<Device>
      on_one_path;  ///< of an object: there on one path to `block`, on the CPU on another
  std::vector<Device> one_of;  ///< it is one of these; empty: not known
  std::vector<Device> all_of;  ///< it is each of these, or what made it has failed
  std::optional<Holder> held;  ///< it is where the program has what this holds
};

class SymbolTable {
 public:
  SymbolId intern(Origin origin, std::uint32_t a, std::uint32_t b, std::uint32_t c);
  Symbol& operator[](SymbolId id) { return symbols_[id]; }
  const Symbol& operator[](SymbolId id) const { return symbols_[id]; }

  /// In some run.
  bool may_be_cuda(Device device) const;
  bool may_be_cpu(Device device) const;
  /// What meets at a block is about to be looked at again, all of it.
  void restart_joins(BlockId block);
  /// One of the devices that the symbol meant before; unknown if nothing is known of any.
  Device older(SymbolId symbol);
  /// A program that is given a device is given CUDA sometimes: enough to call a copy a waste, not
  /// enough to call an operand wrong.
  bool meant_for_cuda(Device device) const;

 private:
  std::vector<Symbol> symbols_;
  std::map<std::tuple<Origin, std::uint32_t, std::uint32_t, std::uint32_t>, SymbolId> ids_;
  std::map<BlockId, std::vector<SymbolId>> joins_;
};

enum class ObjectKind : std::uint8_t { kTensor, kModule, kRecord, kList, kTuple, kMemory };

/// How an object came to its device.
enum class Placed : std::uint8_t { kUnknown, kMade, kMoved, kComputed, kGiven };

/// Whether a module's forward needs its input where the module is.
enum class Strict : std::uint8_t { kUnknown, kYes, kNo };

inline constexpr std::uint32_t kCpuPart = 31;  ///< bit of Object::parts: a module on the CPU

struct Object {
  ObjectKind kind = ObjectKind::kTensor;
  Device device;
  Rank rank = Rank::kUnknown;
  Strict strict = Strict::kUnknown;
  Placed placed = Placed::kUnknown;
  bool escaped = false;     ///< others may write to it at any time
  ObjectId alias = 0;       ///< objects of one alias class may share data
  VersionId version = 0;    ///< the last write to the data
  std::uint32_t parts = 0;  ///< of the receiver: what is registered in it whose place `device` does
                            ///< not speak of, as bits: a parameter's number, kCpuPart
  ObjectId parent = 0;      ///< the module that this one is registered in: the device is there
  SpotId where = 0;         ///< where it was placed
  std::uint32_t type = 0;   ///< the class, for modules (index into the function's classes)
  Element element = Element::kUnknown;
  Memory memory = Memory::kUnknown;  ///< of a tensor on the CPU
  Grad grad = Grad::kUnknown;
  FactId arriving = 0;  ///< an asynchronous copy into it that nothing has waited for
  FactId leaving = 0;   ///< an asynchronous copy from it that nothing has waited for

  // A copy: of what, and as it was then.
  ObjectId source = 0;
  VersionId source_version = 0;
  VersionId copy_version = 0;
  Device source_device;
  FactId transfer = 0;

  friend bool operator==(const Object&, const Object&) = default;
};

/// What is certain of a value that is one of two objects (identity and versions are the caller's).
Object common(Object a, const Object& b);

/// `joined` is one of two objects where paths meet, in `block`. If one of them was moved away from
/// the CPU and the other was not, that is where it is: a symbol of this place.
void note_move(Object& joined, const Object& a, const Object& b, BlockId block, ObjectId id,
               SymbolTable& symbols);

/// The same where neither was moved: one of two known places, a symbol of this place.
void note_either(Object& joined, const Object& a, const Object& b, BlockId block, ObjectId id,
                 SymbolTable& symbols);

/// One of two devices, as `either`, which is no other device.
void add_either(Symbol& either, SymbolId id, Device a, Device b);

enum class ValueKind : std::uint8_t { kNone, kObject, kDevice, kOptions, kElement };

struct Value {
  ValueKind kind = ValueKind::kNone;
  bool has_device = false;  ///< of options: a device was set
  ObjectId object = 0;
  Device device;
  Element element = Element::kUnknown;  ///< of element types and options
  Memory memory = Memory::kUnknown;     ///< of options: pinned memory was asked for
  bool grad = false;                    ///< of options: a gradient was asked for

  static Value of(Element element) { return {ValueKind::kElement, false, 0, {}, element}; }
  static Value of(ObjectId object) { return {ValueKind::kObject, false, object, {}}; }
  static Value of(Device device) { return {ValueKind::kDevice, true, 0, device}; }
  static Value options(Device device, bool has) { return {ValueKind::kOptions, has, 0, device}; }

  friend bool operator==(const Value&, const Value&) = default;
};

/// A copy that is still what its source is.
struct Copy {
  ObjectId source = 0;
  VersionId source_version = 0;
  Device device;
  ObjectId result = 0;
  VersionId result_version = 0;
  FactId transfer = 0;
  bool stored = false;      ///< a variable or field was given the result
  bool changeable = false;  ///< as in TransferEvent
  std::uint32_t call = 0;   ///< of memory: the function's call that copied

  friend bool operator==(const Copy&, const Copy&) = default;
};

using FieldKey = std::pair<ObjectId, FieldId>;

struct State {
  bool reachable = false;
  FlatMap<VariableId, Value> variables;
  FlatMap<FieldKey, Value> fields;
  FlatMap<ValueId, Value> temporaries;
  FlatMap<ObjectId, Object> objects;
  std::vector<Copy> copies;
  Device current = Device::cuda(Device::kCurrent);  ///< the current CUDA device

  /// The value of `id` from an earlier execution is no longer the newest one: renames it to
  /// `older`.
  void retire(ObjectId id, ObjectId older);
  /// Devices that are `symbol` become `older`: the symbol is about to mean another device.
  void retire_symbol(SymbolId symbol, Device older = Device::unknown());
  /// The data of `id`, and of all that may share it, was written.
  void write(ObjectId id, VersionId version);
  void merge_aliases(ObjectId a, ObjectId b);
  /// Where it is: what is registered in a module is where that is.
  Device device_of(ObjectId id) const;
  /// Which device it is here: "cuda" is the current one.
  Device now(Device device) const {
    return device.is_cuda() && device.index == Device::kCurrent ? current : device;
  }
  void forget_fields(ObjectId whole);
  /// The objects in its fields, or its elements.
  std::vector<ObjectId> parts_of(ObjectId whole) const;
  /// Others may read and write `id` from now on: copies of and to it can no longer be relied on.
  void escape(ObjectId id);
  bool holds(ObjectId id) const;  ///< a variable or a field holds it
  void drop_unreachable();

  friend bool operator==(const State&, const State&) = default;
};

/// The state after either of two paths that meet at `block`. Values that differ get an id of the
/// join.
class Joiner {
 public:
  Joiner(OriginTable& origins, SymbolTable& symbols, BlockId block, bool loop_head)
      : origins_(origins), symbols_(symbols), block_(block), loop_head_(loop_head) {}

  void join(State& into, const State& from);

 private:
  Value join_value(State& state, const State& into, const State& from, Value a, Value b,
                   std::uint32_t space, std::uint32_t key, std::uint32_t key2);
  Object join_object(const Object& a, const Object& b, ObjectId id);
  Device join_device(Device a, Device b, std::uint32_t space, std::uint32_t key,
                     std::uint32_t key2);

  OriginTable& origins_;
  SymbolTable& symbols_;
  BlockId block_;
  bool loop_head_;
};

}  // namespace xfer::analyzer
