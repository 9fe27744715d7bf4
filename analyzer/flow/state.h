#pragma once
// The state at one point of a function: which object each variable, field and temporary holds,
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
#include "analyzer/facts/facts.h"
#include "analyzer/facts/table.h"
#include "analyzer/flow/flat_map.h"
#include "analyzer/flow/holder.h"
#include "analyzer/flow/lattice.h"

namespace xfer::analyzer {

using ObjectId = Id<struct ObjectTag>;
/// The data of an object as the last write left it. Its first version has the object's own number.
using VersionId = Id<struct VersionTag>;

constexpr VersionId first_version(ObjectId id) { return VersionId(id.number()); }

// Of a function's variables the facts number those that it declares. From here on ...
inline constexpr std::uint32_t kFirstHiddenVariable = 0x40000000;
inline constexpr std::uint32_t kFirstPointer = 0x50000000;
inline constexpr std::uint32_t kPastPointers = 0x60000000;
/// ... `this` and the parameters keep what they held at the start;
inline constexpr VariableId kHiddenThis{kFirstHiddenVariable};
constexpr VariableId hidden_parameter(std::uint32_t number) {
  return VariableId(kFirstHiddenVariable + 1 + number);
}
/// ... pointers, which hold no tensor alive, have slots of their own;
constexpr VariableId pointer_slot(VariableId pointer) {
  return VariableId(kFirstPointer + pointer.number());
}
constexpr bool is_pointer_slot(VariableId id) {
  return id.number() >= kFirstPointer && id.number() < kPastPointers;
}
/// ... and there is what the function returns.
inline constexpr VariableId kReturnVariable{0x7fffffff};

// Fields that no class declares: parts of tuples and elements of lists.
inline constexpr FieldId kFirstElement{0x10000000};
inline constexpr std::uint32_t kFirstAppended = 0x18000000;
constexpr FieldId element_field(std::size_t index) {
  return FieldId(kFirstElement.number() + index);
}
/// A part of a tuple, or what a list was made with.
constexpr bool is_element(FieldId field) {
  return field >= kFirstElement && field.number() < kFirstAppended;
}
/// An element that `fact` put into a list.
constexpr FieldId appended_field(FactId fact) { return FieldId(kFirstAppended + fact.number()); }

/// The element of a list that an index names, as long as nothing changes either.
inline constexpr FieldId kFirstKeyed{0x20000000};
constexpr FieldId keyed_field(ElementKey key) { return FieldId(kFirstKeyed.number() + key); }

/// The kind of thing that made an object, a version or a symbol.
enum class Origin : std::uint8_t {
  kNone,
  kFact,
  kParameter,
  kThis,
  kField,
  kVariable,
  kGlobal,
  kJoin,
  kOlder,
  kWrite,
  kJoinedWrite
};

/// A number of what made a thing: an id of some kind, or a plain number.
class Part {
 public:
  constexpr Part(std::uint32_t number) : number_(number) {}
  template <class Tag, std::uint32_t none>
  constexpr Part(Id<Tag, none> id) : number_(id.number()) {}

  constexpr std::uint32_t number() const { return number_; }

 private:
  std::uint32_t number_;
};

/// Of kVariable: the memory that a device's variable is.
inline constexpr std::uint32_t kDeviceSymbol = 1;

/// Interns what made an object or a version, so that equal origins are equal ids.
class OriginTable {
 public:
  struct Entry {
    Origin origin;
    std::uint32_t a, b, c;
    BlockId
        block;  ///< the block whose execution makes it; kNoBlock: there before the function starts

    FactId fact() const { return FactId(a); }       ///< of kFact
    ObjectId whole() const { return ObjectId(a); }  ///< of kField: what has it, ...
    FieldId field() const { return FieldId(b); }    ///< ... and which it is
  };

  OriginTable() { entries_.push_back({Origin::kNone, 0, 0, 0, kNoBlock}); }
  ObjectId intern(Origin origin, Part a, Part b, Part c, BlockId block) {
    return ObjectId(number(origin, a, b, c, block));
  }
  VersionId intern_version(Origin origin, Part a, Part b, Part c, BlockId block) {
    return VersionId(number(origin, a, b, c, block));
  }
  const Entry& operator[](ObjectId id) const { return entries_[id.number()]; }
  const Entry& operator[](VersionId id) const { return entries_[id.number()]; }

 private:
  std::uint32_t number(Origin origin, Part a, Part b, Part c, BlockId block);

  std::vector<Entry> entries_;
  std::map<std::tuple<Origin, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;
};

/// A device that is not known, but is one.
struct Symbol {
  Origin origin = Origin::kNone;
  std::uint32_t parameter = 0;  ///< of kParameter: its number
  ObjectId base;      ///< of kField: whose field, and which; else: what it came out of ...
  VersionId version;  ///< ... as that was then
  FieldId field;
  bool initial = false;      ///< of kField: as the function found it
  bool of_device = false;    ///< a device value from outside, not where some tensor or module is
  bool may_cpu = false;      ///< some run has the CPU here
  bool may_cuda = false;     ///< some run has CUDA here
  bool always_cuda = false;  ///< every run has it, on a device of any index
  BlockId block = kNoBlock;
  SpotId chosen;          ///< where it was chosen
  SpotId made;            ///< the code that put something there
  bool loaded = false;    ///< a module read from a file, which may say where it is
  bool returned = false;  ///< where the function given as `parameter` puts its result ...
  Device given;           ///< ... for a tensor here
  std::string name;       ///< of the variable that holds it
  std::optional<Device>
      on_one_path;  ///< of an object: there on one path to `block`, on the CPU on another
  std::vector<Device> one_of;  ///< it is one of these; empty: not known
  std::vector<Device> all_of;  ///< it is each of these, or what made it has failed
  std::optional<Holder> held;  ///< it is where the program has what this holds
  bool of_one_object = false;  ///< a field of an object that this function made
};

class SymbolTable {
 public:
  SymbolId intern(Origin origin, Part a, Part b, Part c);
  /// The symbol of a field in one version of its object; `block` made that version.
  SymbolId of_field(ObjectId whole, FieldId field, VersionId version, BlockId block);
  Symbol& operator[](SymbolId id) { return symbols_[id]; }
  const Symbol& operator[](SymbolId id) const { return symbols_[id]; }

  /// In some run.
  bool may_be_cuda(Device device) const;
  bool may_be_cpu(Device device) const;
  /// All values that meet at the block are about to be looked at again.
  void restart_joins(BlockId block);
  /// One of the devices that the symbol meant before; unknown if nothing is known of any.
  Device older(SymbolId symbol);
  /// A program that is given a device is given CUDA sometimes: enough to call a copy a waste, not
  /// enough to call an operand wrong.
  bool meant_for_cuda(Device device) const;

 private:
  Table<SymbolId, Symbol> symbols_;
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
  /// Of a container that others made: as strict as what the function has put into it.
  Strict filled = Strict::kNo;
  Placed placed = Placed::kUnknown;
  bool escaped = false;     ///< others may write to it at any time
  ObjectId alias;           ///< objects of one alias class may share data
  VersionId version;        ///< the last write to the data
  std::uint32_t parts = 0;  ///< of the receiver: what is registered in it whose place `device` does
                            ///< not speak of, as bits: a parameter's number, kCpuPart
  ObjectId parent;          ///< the module that this one is registered in: the device is there
  SpotId placed_at;         ///< where it was placed
  std::uint32_t type = 0;   ///< the class, for modules (index into the function's classes)
  Element element = Element::kUnknown;
  Memory memory = Memory::kUnknown;  ///< of a tensor on the CPU
  Grad grad = Grad::kUnknown;
  FactId arriving;             ///< an asynchronous copy into it that nothing has waited for
  FactId leaving;              ///< an asynchronous copy from it that nothing has waited for
  FactId freed;                ///< of memory: the call that gave it back
  bool freed_outside = false;  ///< ... by a pointer that other code can have point elsewhere

  // A copy: of what, and as it was then.
  ObjectId source;
  VersionId source_version;
  VersionId copy_version;
  Device source_device;
  FactId transfer;

  friend bool operator==(const Object&, const Object&) = default;
};

/// `memory` is where its type says.
void place_elements(Object& memory, Elements elements);

/// Facts that hold of a value that is one of two objects (identity and versions are the caller's).
Object common(Object a, const Object& b);

enum class ValueKind : std::uint8_t { kNone, kObject, kDevice, kOptions, kElement };

struct Value {
  ValueKind kind = ValueKind::kNone;
  bool has_device = false;  ///< of options: a device was set
  ObjectId object;
  Device device;
  Element element = Element::kUnknown;  ///< of element types and options
  Memory memory = Memory::kUnknown;     ///< of options: pinned memory was asked for
  bool grad = false;                    ///< of options: a gradient was asked for

  static Value of(Element element) { return {ValueKind::kElement, false, {}, {}, element}; }
  static Value of(ObjectId object) { return {ValueKind::kObject, false, object, {}}; }
  static Value of(Device device) { return {ValueKind::kDevice, true, {}, device}; }
  static Value options(Device device, bool has) { return {ValueKind::kOptions, has, {}, device}; }

  friend bool operator==(const Value&, const Value&) = default;
};

/// A copy of memory: by a call itself, or the so manieth, from 1 on, that its callee makes.
struct CopyId {
  CallId call;  ///< none: it is of a tensor
  std::uint32_t within = 0;

  friend auto operator<=>(const CopyId&, const CopyId&) = default;
};

/// A copy that is still what its source is.
struct Copy {
  ObjectId source;
  VersionId source_version;
  Device device;
  ObjectId result;
  VersionId result_version;
  FactId transfer;
  bool stored = false;      ///< a variable or field was given the result
  bool changeable = false;  ///< as in TransferEvent
  CopyId copy = {};
  Direction direction = Direction::kUnknown;  ///< of memory
  std::vector<ObjectId> rests_on = {};        ///< objects whose numbers say which part was copied

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

  /// `version`, from an earlier execution, is no longer the newest of its kind: renames it to
  /// `older`, and with it the object of which it is the first version, if it is one's.
  void retire(VersionId version, VersionId older);
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
  /// An index may name another element of the list now; none: of any list.
  void forget_keys(ObjectId list = {});
  /// The objects in its fields, or its elements.
  std::vector<ObjectId> parts_of(ObjectId whole) const;
  /// Others may read and write `id` from now on: copies of and to it can no longer be relied on.
  void escape(ObjectId id);
  bool holds(ObjectId id) const;  ///< a variable or a field holds it
  void drop_unreachable();

  friend bool operator==(const State&, const State&) = default;
};

}  // namespace xfer::analyzer
