#pragma once
// The events in a function, as its flow tells them, and the observers that hear them.

#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/flow/holder.h"
#include "analyzer/flow/state.h"
#include "analyzer/flow/summary.h"

namespace xfer::analyzer {

/// An operand as it is when an operation runs.
struct OperandView {
  const Operand* operand = nullptr;
  SpotId spot;       ///< where it is written: the operand, or its place in a braced list
  std::string path;  ///< a field of it: "config.device"
  ObjectId id;
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
  bool again;     ///< from a loop's second iteration on
  std::vector<OperandView> operands;
};

/// A summarised callee's need at a call.
struct NeedEvent {
  FactId fact;
  BlockId block;
  const Call* call;
  const Need* need;
  OperandView first, second;  ///< second.operand is null where the callee chose the device
  bool again;                 ///< from a loop's second iteration on
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
  CopyId copy;
  const CopyWithin* within;  ///< the call's callee copies; null: the call does
  Direction direction;
  OperandView to, from;            ///< as they are before the copy
  bool certain;                    ///< nobody else may change either
  bool changeable;                 ///< code that names neither may change what they hold
  std::vector<ObjectId> rests_on;  ///< as in Copy
  std::optional<Copy> earlier;     ///< the same copy, made before and still right
  std::optional<Copy> away;        ///< the copy that brought `from` what `to` still holds
};

/// Memory is given back.
struct FreeEvent {
  BlockId block;
  const Call* call;
  ObjectId id;
};

/// Nothing points any more to memory that the function allocated and has not freed.
struct LetGoEvent {
  BlockId block;
  VariableId pointer;  ///< the last that did
  ObjectId id;
};

/// A kernel, or a call that works on a device, follows a pointer there.
struct DeviceAccessEvent {
  FactId fact;
  BlockId block;
  const Call* call;
  OperandView pointer;
  bool reads_first = false;  ///< a kernel that reads what was there before it
  Device current = {};       ///< the current device
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
  BlockId block;
  const Call* call;
  Device from;
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
  bool kept = true;  ///< it is there for longer than a call
  FactId fact;
  BlockId block;
  SpotId spot;  ///< the call, or what is assigned
  Value value;
  Device device;        ///< where it is, or that it is
  Object object;        ///< of a value that is one
  bool loaded = false;  ///< a module is read from a file
};

/// A module is elsewhere now, for all that hold it.
struct RelocatedEvent {
  ObjectId id;
  SpotId spot;
  Device device;
  Object object;
};

enum class DataUse : std::uint8_t {
  kWait,        ///< the host waits for the device that the object is on
  kEarlyRead,   ///< the host reads what an asynchronous copy may still write
  kEarlyWrite,  ///< the host writes what an asynchronous copy may still read
  kPinned,      ///< options that ask for pinned memory are given to what does not make memory
  kFreed,       ///< memory is used that was given back
  kLeaf,        ///< something wants the gradient of a copy of a leaf
};

struct DataEvent {
  DataUse use;
  FactId fact;
  BlockId block;
  const Call* call;  ///< null: the host follows a pointer
  PlaceId place;     ///< of the operand
  SpotId spot;       ///< the operand
  Role role;
  Object object;
};

/// A tensor computed element by element from one other.
struct Computed {
  ObjectId from;
  FactId fact;
  Element from_element = Element::kUnknown;
};

/// Hears nothing: each kind of observer takes the events that it is there for.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The fact that the next events come from.
  virtual void running(const Fact&, BlockId) {}
  virtual void operands(const OperandsEvent&) {}
  virtual void need(const NeedEvent&) {}
  virtual void given(const GivenEvent&) {}
  virtual void handed(const HandedEvent&) {}
  virtual void relocated(const RelocatedEvent&) {}
  virtual void transfer(const TransferEvent&) {}
  virtual void data(const DataEvent&) {}
  virtual void field_given(const FieldEvent&) {}
  virtual void module_moved(const ModuleMoveEvent&) {}
  virtual void computed(ObjectId, const Computed&) {}
  virtual void host_access(const HostAccessEvent&) {}
  virtual void memory_copy(const MemoryCopyEvent&) {}
  /// Numbers or pointers in an object have changed; ObjectId(): in any.
  virtual void renumbered(ObjectId, BlockId) {}
  virtual void freed(const FreeEvent&) {}
  virtual void followed_on_device(const DeviceAccessEvent&) {}
  virtual void kept_pointer(const KeptPointerEvent&) {}
  virtual void let_go(const LetGoEvent&) {}
  virtual void read(ObjectId, FactId, BlockId) {}
  virtual void written(ObjectId, BlockId) {}
  virtual void escaped(ObjectId, BlockId) {}
  /// Something that was there before the function may have been written to.
  virtual void outside_written(BlockId) {}
  /// So may all data.
  virtual void everything_written() {}
  /// So may memory to which fields of what a call was given point.
  virtual void written_behind() {}
  virtual void unknown(const std::string&) {}
  virtual void unknown_call() {}
  /// The host has, or may have, waited for a device.
  virtual void waited() {}
  /// None: any field of it.
  virtual void field_stored(ObjectId, FieldId) {}
  /// Where it is, is not known any more.
  virtual void lost(ObjectId) {}
};

}  // namespace xfer::analyzer
