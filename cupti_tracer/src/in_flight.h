#pragma once
// Copies between pinned memory and a device, and kernels that touch host memory, that the program
// cannot know to be over, as they stand while it runs: their host bytes are watched, where somebody
// can watch them (emulated CUDA), until an event tells the host that they are free.
//
// Thread-safe. Cost: an event O(1) and a lock; one that makes the host wait O(copies in flight).
// Memory: a fixed number of copies; the oldest is no longer watched.

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "api_call.h"
#include "order/stream_order.h"

namespace xfer::tracer {

/// Rows of host memory that a device is using.
struct WatchedBytes {
  std::uint64_t id = 0;  ///< the correlation of the call that asked for it
  std::uint64_t begin = 0;
  std::uint64_t width = 0;
  std::uint64_t pitch = 0;  ///< bytes from row to row
  std::uint64_t rows = 1;
  bool device_writes = false;

  std::uint64_t extent() const { return (rows - 1) * pitch + width; }
};

/// The host memory that a launch of the graph copies from and to; nothing where that is not known.
/// Without ids.
using GraphQuery = std::function<std::optional<std::vector<WatchedBytes>>(std::uint64_t graph)>;

/// Touches of watched bytes fault, with the id. Empty functions: nobody can watch.
struct HostWatch {
  std::function<bool(const WatchedBytes&)> watch;
  std::function<void(std::uint64_t id)> release;
};

class InFlight {
 public:
  explicit InFlight(HostWatch watch) : watch_(std::move(watch)) {}

  /// Something is watched, in this process. Needs no lock.
  static bool is_any() noexcept { return any_.load(std::memory_order_relaxed); }

  /// A call has returned. `transfer`: of a copy. `arguments`: of a kernel's launch. `sides`: of a
  /// graph's.
  void see(const Event& event, const Transfer& transfer = {}, std::span<const Event> arguments = {},
           std::span<const WatchedBytes> sides = {});

 private:
  static constexpr std::size_t kMost = 512;
  static constexpr unsigned kMostOfLaunch = 16;

  struct Copy {
    std::uint64_t id;
    Work work;
  };
  void order(const Event& event);
  void learn(const Event& event, std::span<const Event> arguments);
  void add(const Event& copy, const Transfer& transfer);
  void add(const Event& launch, std::span<const Event> arguments);
  void add(const WatchedBytes& bytes, StreamId stream);

  static inline std::atomic<bool> any_{false};

  const HostWatch watch_;
  std::mutex mutex_;
  StreamOrder order_;
  Time now_ = 0;
  std::deque<Copy> copies_;
};

}  // namespace xfer::tracer
