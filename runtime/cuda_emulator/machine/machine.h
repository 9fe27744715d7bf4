#pragma once
// The emulated machine: its devices, their memory, streams, events and clock, behind one lock. Made
// by the first call that needs it and never destroyed, since programs call CUDA from static
// destructors.

#include <driver_types.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "machine/device_memory.h"
#include "machine/hooks.h"
#include "machine/host_memory.h"
#include "machine/kernel_registry.h"
#include "machine/options.h"
#include "machine/scheduler.h"
#include "machine/touch_record.h"
#include "machine/watch/host_watch.h"

namespace xfer::emulator {

/// Which stream a null handle means: the entry points with _ptsz or _ptds mean the thread's own.
enum class DefaultStream { kLegacy, kPerThread };

/// The parts of a device that work one job at a time.
/// kLinks: kernels that move data between devices, beside those that compute.
enum class DeviceEngine { kToDevice, kToHost, kCompute, kLinks };

struct Device {
  unsigned flags = 0;
  std::uint64_t engine_free_ns[4] = {0, 0, 0, 0};  ///< by DeviceEngine
  std::unordered_set<int> peers;                   ///< whose memory its kernels may touch
  std::unordered_set<int> pool_peers;              ///< the same of what their pools give
  std::unordered_map<int, std::size_t> limits;

  bool reaches(int other) const { return peers.contains(other) || pool_peers.contains(other); }
};

/// Where an address lies.
struct AddressInfo {
  MemoryKind kind = MemoryKind::kPageable;
  int device = -1;           ///< of device memory; -1: host
  std::uintptr_t begin = 0;  ///< of the allocation; 0 when it is not known
  std::uint64_t bytes = 0;
  bool dangling = false;  ///< in a device's memory, but in no allocation
};

class Machine {
 public:
  /// The machine, made now if need be; never null. Without devices when none were asked for.
  static Machine& instance();
  /// The machine if it was made already.
  static Machine* existing();

  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  std::mutex& mutex() { return mutex_; }
  /// False in a child of fork() whose parent had used the machine: nothing may be touched there.
  bool usable() const { return !forked_.load(std::memory_order_relaxed); }

  const Options& options() const { return options_; }
  int device_count() const { return static_cast<int>(devices_.size()); }

  // All below: with the lock held.
  /// Something is done on the device. Whether it is the first since it was reset.
  bool make_context(int index) {
    std::atomic<bool>& its = has_context_[static_cast<std::size_t>(index)];
    return !its.load(std::memory_order_relaxed) && !its.exchange(true);
  }
  Device& device(int index) { return devices_[static_cast<std::size_t>(index)]; }
  DeviceMemory& memory() { return memory_; }
  HostMemory& host_memory() { return host_memory_; }
  Scheduler& scheduler() { return scheduler_; }
  /// Needs no lock, as it has its own.
  HostWatch& host_watch() { return host_watch_; }
  TouchRecord& touch_record() { return touch_record_; }

  AddressInfo locate(const void* address) const;
  /// Where copies and kernels reach the address.
  std::byte* reach(const void* address) const;

  /// The stream a handle stands for, or null when it stands for none. Makes default streams.
  Stream* stream(cudaStream_t handle, DefaultStream null_means);
  /// The event a handle stands for, or null.
  Event* event(cudaEvent_t handle);
  Event* add_event(int device, unsigned flags);
  void remove_event(Event* event);

  std::uint64_t now() const { return now_ns_.load(std::memory_order_relaxed); }
  void spend(std::uint64_t ns) { now_ns_.fetch_add(ns, std::memory_order_relaxed); }
  void wait_until(std::uint64_t ns);
  /// Gives work that is queued now on `stream` its times, and the stream its new end.
  void place(Stream& stream, DeviceEngine engine, std::uint64_t duration_ns, Activity* activity);
  /// When everything queued on the device has run.
  std::uint64_t device_ready_ns(int device) const;

  /// When everything queued on the device's blocking streams has run.
  std::uint64_t blocking_ready_ns(int device) const;
  /// Tells the watcher of a wait by the calling thread.
  void report_sync(Activity activity);

  /// In the handler of a fault: see HostWatch. `touch` null: nobody wants to know.
  HostWatch::Verdict watched_fault(std::uintptr_t address, void* context, HostTouch* touch);

  std::uint32_t next_correlation() { return ++correlation_; }

  /// A device error that every later call returns, as a lost context does.
  void set_lost(cudaError_t error) { lost_ = error; }
  cudaError_t lost() const { return lost_; }
  void reset(Lock& lock, int device);

  std::atomic<Observer*> observer{nullptr};
  std::unordered_set<std::uintptr_t>
      freed_in_stream;                             ///< cudaFreeAsync was called, and has not run
  std::unordered_set<std::uintptr_t> kernel_heap;  ///< what kernels got from malloc
  std::uint64_t launches = 0;
  std::atomic<std::uint64_t> launches_skipped = 0;
  /// See xfer_emulator_missing_byte.
  int missing_byte() const {
    if (launches_skipped == 0 && !options_.missing_is_nan) return -1;
    return options_.missing_is_nan ? 0xff : 0;
  }
  std::uint64_t copies = 0;
  std::uint64_t copied_bytes = 0;

 private:
  Machine();
  void report(const Activity& activity);

  std::mutex mutex_;
  std::atomic<bool> forked_{false};
  Options options_;
  std::vector<Device> devices_;
  std::array<std::atomic<bool>, kMaxDevices> has_context_{};
  DeviceMemory memory_;
  HostMemory host_memory_;
  HostWatch host_watch_;
  TouchRecord touch_record_;
  Scheduler scheduler_;
  std::unordered_map<const Event*, std::unique_ptr<Event>> events_;
  std::uint32_t next_event_id_ = 1;
  std::atomic<std::uint64_t> now_ns_;
  std::atomic<std::uint32_t> correlation_{0};
  std::atomic<cudaError_t> lost_{cudaSuccess};
};

/// State that the runtime keeps for each thread.
struct ThreadContext {
  int device = 0;
  cudaError_t last_error = cudaSuccess;
  std::uint32_t correlation = 0;                     ///< of the call in progress
  std::uint64_t graph_node = 0;                      ///< that is being queued, from 1
  std::uint64_t next_kernel_ns = 0;                  ///< of the next launch; 0: as its shape says
  std::optional<std::vector<Touched>> next_touches;  ///< by the next launch, where it is told
  bool launches_dry = false;                         ///< see xfer_emulator_launch_dry
  bool read_dry = false;                             ///< the host got something meanwhile
  bool sent_dry = false;                             ///< it sent something, for a launch that comes
  std::uint64_t dry_ns = 0;                          ///< what dry launches would take
  std::unordered_map<int, Stream*> streams;          ///< the thread's default stream, by device
  struct Configuration {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes;
    cudaStream_t stream;
  };
  std::vector<Configuration> configurations;  ///< of <<<>>>, between its two halves
};
ThreadContext& this_thread_context();

}  // namespace xfer::emulator
