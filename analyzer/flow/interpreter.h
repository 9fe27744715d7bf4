#pragma once
// What one fact does to a state. Pure but for the tables of ids; an observer hears what the checks
// need to know.

#include <map>
#include <optional>
#include <set>
#include <string>

#include "analyzer/facts/unit.h"
#include "analyzer/flow/holder.h"
#include "analyzer/flow/surroundings.h"

namespace xfer::analyzer {

/// Fields with these numbers are parts of tuples and elements of lists.
inline constexpr FieldId kFirstElement = 0x10000000;
inline constexpr FieldId kFirstAppended = 0x18000000;

/// What a callee chose is one device in all that it hands back: numbers of choices, from here on.
inline constexpr std::uint32_t kFirstChoice = 0x1000;

/// Pointers hold no tensor alive, so they have slots of their own: this plus the variable.
inline constexpr VariableId kFirstPointerVariable = kFirstPointer;

inline constexpr VariableId kReturnVariable = 0x7fffffff;
/// Keeps what module parameters held at the start.
inline constexpr VariableId kFirstHiddenVariable = 0x40000000;

/// An operand as it is when an operation runs.
struct OperandView {
  const Operand* operand = nullptr;
  SpotId spot = 0;   ///< where it is written: the operand, or its place in a braced list
  std::string path;  ///< a field of it: "config.device"
  ObjectId id = 0;
  Object object;  ///< its device is that of the module it is registered in
  bool module = false;
};

struct OperandsEvent {
  FactId fact;
  BlockId block;
  const Call* call;
  bool zero_dim_cpu;
  bool requires_cuda;
  bool indexing;  ///< the first operand is indexed by the others, which may be on the CPU
  std::vector<OperandView> operands;
};

/// A summarised callee's need at a call.
struct NeedEvent {
  FactId fact;
  BlockId block;
  const Call* call;
  const Need* need;
  OperandView first, second;  ///< second.operand is null where the callee chose the device
};

struct TransferEvent {
  FactId fact;
  BlockId block;
  const Call* call;
  ObjectId source;
  Object source_object;
  Device device;
  ObjectId result;
  Element result_element;
  bool given;                   ///< a device is given: it is no mere conversion
  bool crosses;                 ///< in some run this is a copy between two devices
  bool certain;                 ///< ... of data that nobody else may change
  bool perhaps;                 ///< it is, or nothing is to be done: the value may be there already
  bool changeable;              ///< code that does not name the source may change what it holds
  std::optional<Copy> earlier;  ///< the same copy, made before and still right
  VariableId earlier_variable = kReturnVariable;  ///< a variable that holds it
  bool earlier_held;                              ///< a variable or field holds the earlier copy
  bool origin_held;  ///< the value that the source was copied from is still held
  Object origin;     ///< that value's object, when source_object.source is set and known
  bool origin_known;
};

/// Memory is copied, by pointers.
struct MemoryCopyEvent {
  FactId fact;
  BlockId block;
  const Call* call;
  OperandView to, from;         ///< as they are before the copy
  bool certain;                 ///< nobody else may change either
  bool changeable;              ///< code that names neither may change what they hold
  std::optional<Copy> earlier;  ///< the same copy, made before and still right
  std::optional<Copy> away;     ///< the copy that brought `from` what `to` still holds
};

/// A kernel, or a call that works on a device, follows a pointer there.
struct DeviceAccessEvent {
  FactId fact;
  BlockId block;
  const Call* call;
  OperandView pointer;
};

/// The host touches the memory of a tensor.
struct HostAccessEvent {
  FactId fact;
  BlockId block;
  const fact::Access* access;
  SpotId spot;
  ObjectId id;
  Object object;  ///< the tensor whose memory it is, or the memory
};

/// A pointer into a transfer's result outlives the statement.
struct KeptPointerEvent {
  FactId fact;
  BlockId block;
  SpotId spot;  ///< the pointer
  SpotId copy;  ///< the transfer
  ObjectId object;
};

/// A field is given a value.
struct FieldEvent {
  PlaceId place;
  SpotId spot;
  Object object;
  bool from_outside;  ///< it was there before the function
};

/// A module is moved.
struct ModuleMoveEvent {
  const Call* call;
  Device device;
};

/// A function of this unit is given a tensor that is on CUDA in some run.
struct GivenEvent {
  BlockId block;
  const Call* call;
  std::uint32_t parameter;
  Device device;
};

/// A value goes where other functions find it.
struct HandedEvent {
  Holder to;
  BlockId block;
  SpotId spot;  ///< the call, or what is assigned
  Value value;
  Device device;        ///< where it is, or that it is
  Object object;        ///< of a value that is one
  bool loaded = false;  ///< a module is read from a file
};

enum class DataUse : std::uint8_t {
  kWait,        ///< the host waits for the device that the object is on
  kEarlyRead,   ///< the host reads what an asynchronous copy may still write
  kEarlyWrite,  ///< the host writes what an asynchronous copy may still read
  kPinned,      ///< options that ask for pinned memory are given to what does not make memory
  kLeaf,        ///< something wants the gradient of a copy of a leaf
};

struct DataEvent {
  DataUse use;
  FactId fact;
  BlockId block;
  const Call* call;  ///< null: the host follows a pointer
  SpotId spot;       ///< the operand
  Role role;
  Object object;
};

/// A tensor computed element by element from one other.
struct Computed {
  ObjectId from = 0;
  FactId fact = 0;
  Element from_element = Element::kUnknown;
};

class Observer {
 public:
  virtual ~Observer() = default;
  /// What the next events come from.
  virtual void running(const Fact&, BlockId) {}
  virtual void operands(const OperandsEvent&) {}
  virtual void need(const NeedEvent&) {}
  virtual void given(const GivenEvent&) {}
  virtual void handed(const HandedEvent&) {}
  virtual void transfer(const TransferEvent&) {}
  virtual void data(const DataEvent&) {}
  virtual void field_given(const FieldEvent&) {}
  virtual void module_moved(const ModuleMoveEvent&) {}
  virtual void computed(ObjectId, const Computed&) {}
  virtual void host_access(const HostAccessEvent&) {}
  virtual void memory_copy(const MemoryCopyEvent&) {}
  virtual void followed_on_device(const DeviceAccessEvent&) {}
  virtual void kept_pointer(const KeptPointerEvent&) {}
  virtual void read(ObjectId, FactId, BlockId) {}
  virtual void written(ObjectId, BlockId) {}
  virtual void escaped(ObjectId, BlockId) {}
  /// Something that was there before the function may have been written to.
  virtual void outside_written(BlockId) {}
  virtual void unknown(const std::string&) {}
  virtual void unknown_call() {}
  virtual void field_stored(ObjectId) {}
};

class Interpreter {
 public:
  Interpreter(const Unit& unit, const FunctionFacts& facts, OriginTable& origins,
              SymbolTable& symbols, Surroundings& surroundings);

  State entry_state();
  void run(const Fact& fact, FactId id, BlockId block, State& state);
  void observe(Observer* observer) { observer_ = observer; }
  /// Some run has CUDA tensors in this parameter.
  void assume_cuda(std::uint32_t parameter) { on_cuda_.insert(parameter); }

  Device device_of(const State& state, ObjectId id) const;
  bool may_be_cuda(Device device) const;
  bool may_be_cpu(Device device) const;
  /// Which device it is where the state is: "cuda" is the current one.
  static Device now(Device device, const State& state) {
    const bool current = device.is_cuda() && device.index == Device::kCurrent;
    return current ? state.current : device;
  }
  bool meant_for_cuda(Device device) const;
  /// Parameters that decide, in functions called here, about devices.
  const std::set<std::uint32_t>& deciding() const { return deciding_; }

 private:
  Value apply(const fact::Load& load, State& state);
  Value apply(const fact::Store& store, State& state);
  Value apply(const fact::FieldOf& of, State& state);
  Value apply(const fact::DeviceIs& is, State& state);
  Value apply(const fact::ElementIs& is, State& state);
  Value apply(const fact::Select& select, State& state);
  Value apply(const fact::Copy& copy, State& state);
  Value apply(const fact::List& list, State& state);
  Value apply(const fact::Tuple& tuple, State& state);
  Value apply(const fact::ElementOf& of, State& state);
  Value apply(const fact::Put& put, State& state);
  Value apply(const fact::PartOf& of, State& state);
  Value apply(const fact::Fresh& what, State& state);
  Value apply(const fact::Batch& batch, State& state);
  Value apply(const fact::Share& what, State& state);
  Value apply(const fact::Lose& what, State& state);
  Value apply(const fact::Invoke& what, State& state);
  Value apply(const fact::End& end, State& state);
  Value apply(const fact::Access& access, State& state);
  Value apply(const fact::KeepPointer& kept, State& state);
  Value apply(const fact::Return& what, State& state);
  Value apply(const fact::Change& change, State& state);
  Value apply(const fact::SetCurrent& set, State& state);
  Value apply(const fact::EndStatement& end, State& state);

  ObjectId object(ValueId id, const State& state) const;
  ObjectId whole_of(const std::vector<ValueId>& parts, ObjectKind kind, Device empty, State& state);
  Value load(PlaceId place, State& state);
  Value variable_value(VariableId id, State& state);
  Value field_value(ObjectId base, FieldId field, State& state);
  bool from_outside(ObjectId id) const;
  Device settled_device(ObjectId base, const SettledField& settled, SymbolId own, State& state);
  void keep_elsewhere(ObjectId id, Role role, State& state);
  ObjectId make(State& state, std::uint32_t sub, Object object);
  void retire(ObjectId id, State& state, unsigned depth);
  Device opaque(State& state, std::uint32_t sub);
  Value fresh(ValueType type, State& state, std::uint32_t sub);
  Value fresh(Role role, State& state, std::uint32_t sub) {
    return fresh(ValueType::of(role), state, sub);
  }
  Value value(ValueId id, const State& state) const;
  void lose(ObjectId id, State& state, unsigned depth = 0);
  void reseat(ObjectId tensor, State& state);
  void write(ObjectId id, State& state);
  bool from_outside(ObjectId id, const State& state) const;
  void outside_written(State& state);
  void write_everything(State& state);
  void put(ObjectId list, ObjectId element, State& state);
  void add_element(ObjectId list, ObjectId element, State& state);
  void forget_globals(State& state);

  // interpret_modules.cc: modules and their parts.
  Strict class_strict(ClassId record) const;
  Strict forward_strict(ClassId record) const;
  void take_parts(const Call& call, Object& container, const State& state) const;
  Value new_module(const Call& call, State& state);
  Value move_module(const Call& call, State& state);
  Value register_parts(const Call& call, State& state);
  bool part_apart(ObjectId receiver, Object& owner, Device part) const;
  Device self_after(const Call& call, const Summary& summary, Device before, State& state);
  void set_device(ObjectId id, Device device, Placed placed, SpotId where, State& state);
  void part_moved(ObjectId whole, Device device, State& state, unsigned depth = 0);
  void element_moved(ObjectId list, Device device, State& state, unsigned depth);
  void hand_out_part(ObjectId whole, const Value& part, State& state);

  Value call(const Call& made, State& state);
  // What other functions find: handed.cc.
  void hand(Holder to, SpotId spot, const Value& value, const State& state, bool loaded = false);
  void hand_arguments(const Call& call, const State& state);
  Value unknown_result(const Call& call, Value result, const State& state);
  void hand_to_fields(ObjectId whole, ObjectId value, const State& state, bool loaded = false);
  Value apply_model(const Call& call, State& state);
  Value apply_transfer(const Call& call, State& state);
  Value apply_plain(const Call& call, State& state);
  Value apply_summary(const Call& call, const Summary& summary, State& state);
  Value apply_unknown(const Call& call, State& state);
  // interpret_memory.cc: memory that is followed by its pointers.
  Value allocate(const Call& call, State& state);
  void free_memory(const Call& call, State& state);
  void copy_memory(const Call& call, State& state);
  void launch(const Call& call, State& state);
  void follow_on_device(const Call& call, const Operand& operand, State& state);
  void use_memory(const Call& call, State& state);
  Value apply_system(const Call& call, State& state);
  void hand_over_memory(const Call& call, const Operand& operand, State& state);
  void load_module(ObjectId id, const Call& call, State& state);
  void load_file(const Call& call, State& state);
  void lose_operand(const Operand& operand, State& state);
  void assign(const Operand& operand, Value value, State& state);
  // interpret_data.cc: element types, memory, gradients, copies that are under way.
  Value options_value(const Call& call, Value base, const State& state) const;
  Element element_argument(const Call& call, const State& state, bool& given) const;
  void describe_result(const Call& call, ObjectId first, Object& made, State& state);
  void describe_transfer(const Call& call, const Object& source, bool to_host, Object& made,
                         const State& state) const;
  void set_gradient(const Call& call, ObjectId first, State& state);
  void before_call(const Call& call, State& state);
  void early_access(const Call* call, const Operand& operand, DataUse use, State& state);
  void waited(State& state);
  void copy_between(const Call& call, ObjectId to, State& state);
  Value outcome(const Call& call, const Outcome& outcome, Role role, std::uint32_t sub,
                State& state);
  std::optional<Device> device_argument(const Call& call, const State& state, bool tensors) const;
  Value argument_value(const Call& call, const Where& where, State& state);
  Device by_default(FunctionId callee, std::uint32_t parameter) const;
  bool leaves_no_choice(const Call& call);
  Device substitute(const Call& call, const Where& where, State& state);
  // interpret_sharing.cc: modules that several hold.
  void share(ObjectId id, State& state);
  void share_parts(ObjectId whole, State& state, unsigned depth = 0);
  void share_whole(ObjectId id, State& state, unsigned depth = 0);
  bool held_here(ObjectId id, const State& state) const;
  bool hold_given(const Call& call, const FieldHeld& held, ObjectId id, FieldId field,
                  State& state);
  void share_changed(const Call& call, const Summary& summary, ObjectId self, State& state);
  Value handed_out(const Call& call, const Outcome& outcome, Value made, State& state);

  // interpret_functions.cc: functions that are given to functions.
  void note_returned(const Call& call, const Value& result, State& state);
  Device returned(const Call& call, const Where& where);
  bool only_visits(const Call& call) const;
  std::vector<OperandView> needed(const Call& call, const Where& where, State& state);
  Value left_by_reference(const Call& call, const Operand& operand, const Outcome& left,
                          std::uint32_t sub, State& state);
  Value constructed(const Call& call, const Summary& summary, State& state);
  void put_in_field(const Call& call, const FieldHeld& held, Device device, ObjectId id,
                    FieldId field, State& state);
  void change_fields(const Call& call, const Summary& summary, ObjectId self, State& state);
  void hold_fields(const Call& call, const Summary& summary, ObjectId id, State& state);
  const Operand* argument(const Call& call, std::uint32_t parameter) const;
  ObjectId object_of(const Operand& operand, const State& state) const;
  OperandView view(const Operand& operand, const State& state) const;
  OperandView view(const Operand& operand, ObjectId id, SpotId spot, const State& state) const;
  std::vector<OperandView> parts_of(const Operand& operand, ObjectId whole,
                                    const State& state) const;
  std::vector<OperandView> required_operands(const Call& call, const State& state) const;
  void index(const Call& call, State& state);
  Rank result_rank(const Call& call, const std::vector<OperandView>& operands) const;
  Device result_device(const Call& call, const std::vector<OperandView>& operands, Device first,
                       const State& state) const;

  const Unit& unit_;
  const FunctionFacts& facts_;
  OriginTable& origins_;
  SymbolTable& symbols_;
  Surroundings& surroundings_;
  Observer* observer_ = nullptr;
  std::set<std::uint32_t> on_cuda_;
  const Fact* running_ = nullptr;
  FactId fact_ = 0;
  BlockId block_ = 0;
  std::map<ObjectId, const fact::List*> lists_;
  std::map<std::uint32_t, Device> choices_;  ///< of the callee of this call
  std::optional<bool> settled_;              ///< ... and whether the call leaves nothing to choose
  std::set<std::uint32_t> deciding_;         ///< parameters that decide about choices of callees
};

}  // namespace xfer::analyzer
