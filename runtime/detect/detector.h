#pragma once
// A detector's view of the trace. The engine calls every detector's hooks in the order of the
// events; the shadow map shows the state before the event's own effect.

#include <algorithm>

#include "detect/buffer_names.h"
#include "detect/device_work.h"
#include "detect/finding_groups.h"
#include "detect/freed_memory.h"
#include "detect/moved_waits.h"
#include "detect/pending_uses.h"
#include "detect/shadow_map.h"
#include "detect/steps.h"
#include "detect/transfer.h"

namespace xfer {

/// The state that all detectors look at.
struct Scene {
  Scene(const EngineOptions& engine_options, ShadowMap& shadow)
      : options(engine_options),
        memory(shadow),
        groups(engine_options),
        steps(engine_options.step_name) {}

  const EngineOptions options;
  StreamOrder order;
  ShadowMap& memory;
  FreedMemory freed;
  PendingUses pending;
  std::vector<Event> arguments;  ///< of launches to come
  BufferNames names;
  FindingGroups groups;
  MovedWaits waits{groups};
  Steps steps;
  DeviceWork work;
  Span run{UINT64_MAX, 0};  ///< from the first event to the last so far
  /// How long devices were in use, from their first work to their last; without their times, the
  /// run.
  std::uint64_t in_use_ns() const {
    const Span used = work.in_use();
    return used.length() != 0 ? used.length() : run.length();
  }
  Time now = 0;                   ///< position of the event
  std::vector<Time> last_launch;  ///< per device
  Time first_stale =
      0;  ///< the host could first use what a skipped kernel would have written; 0: never
  /// Set when a buffer's content turned out to have changed although no kernel could have changed
  /// it: from then on every kernel may touch everything.
  bool unseen_writers = false;
  /// Kernels can find addresses of buffers in memory: only those whose code is known not to follow
  /// such addresses touch their arguments alone.
  bool addresses_on_device = false;
  Ending ending = Ending::kBrokenOff;  ///< once it has come

  /// A buffer's content turned out to have changed although no kernel could have changed it.
  void distrust(Time now) {
    unseen_writers = true;
    memory.touch_all(now);
  }
  /// The device memory that the argument points into; null also where it may be the end of what
  /// another argument of the launch points into.
  const Allocation* given_memory(const Event& argument) {
    const ByteRange before = block_around(argument.address - 1);
    return may_be_the_end(before, argument) ? nullptr : memory.find(argument.address);
  }
  bool may_be_the_end(const ByteRange& block, const Event& argument) {
    return block.end == argument.address && block.end != 0 &&
           std::any_of(arguments.begin(), arguments.end(), [&](const Event& other) {
             return other.correlation == argument.correlation && block.begin <= other.address &&
                    other.address < block.end;
           });
  }
  /// The block of device or pinned memory that holds the address; empty when none is known.
  ByteRange block_around(std::uint64_t address) {
    const Allocation* const allocation = memory.find(address);
    return allocation != nullptr ? ByteRange{allocation->begin, allocation->end}
                                 : pending.pinned_around(address);
  }
  static Time at(const std::vector<Time>& times, std::int16_t device) {
    const auto index = static_cast<std::size_t>(device);
    return index < times.size() ? times[index] : 0;
  }
};

/// A copy with one end in tracked device memory.
struct CopyView {
  TransferPtr transfer;
  Allocation* allocation = nullptr;  ///< that holds its device end (the destination of a peer copy)
  TransferPtr holder;                ///< see ShadowMap::holder, for that range
  StreamId stream = 0;
};

class Detector {
 public:
  explicit Detector(Scene& scene) : scene_(scene) {}
  virtual ~Detector() = default;

  /// Any event that took effect, before the scene changes by it.
  virtual void see(const Event&) {}
  /// An allocation or free whose address is kUnrecordedAddress.
  virtual void see_unplaced(const Event&) {}
  /// A call that CUDA refused.
  virtual void failed(const Event&) {}
  /// From the host, or another device. True: it changed nothing, and the device's state stays.
  virtual bool upload(const CopyView&) { return false; }
  virtual void download(const CopyView&) {}
  /// The content of a download became known.
  virtual void content(const TransferPtr&) {}
  /// The host memory of an upload held other bytes when the program learned that it was over. The
  /// upload's event, but for the flags.
  virtual void source_changed(const Event&) {}
  /// A write on a device is over: see Transfer::end.
  virtual void ended(const TransferPtr&, const Event& /*cause*/) {}
  /// Events were lost: nothing from before may be used any more.
  virtual void forget() {}
  /// After the last event and the last ended().
  virtual void finish() {}

 protected:
  Scene& scene_;
};

}  // namespace xfer
