#pragma once
// Which addresses are allocations, of what kind, on which device: from the allocations that the
// tracer saw. Decides what the two sides of a copy are, because the call may not say
// (cudaMemcpyDefault), may say it wrongly, and never says pinned.
//
// Cost: a search in a balanced tree under a mutex. Thread-safe.

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "xfer/content_hash.h"
#include "xfer/event.h"

namespace xfer::tracer {

struct Allocation {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  Space space = Space::kUnknown;
  std::int16_t device = -1;  ///< -1: the host's
  bool uncached = false;     ///< write-combined: reading it is very slow
  bool shared = false;       ///< others may change it: nothing is known about its content
  bool registered = false;   ///< the program's own: it may be gone before CUDA hears of it
  std::uint64_t serial = 0;  ///< of all, in the order of their making; the memory map's to give

  std::uint64_t bytes() const { return end - begin; }
};

class MemoryMap {
 public:
  /// Takes the place of whatever was known about this range: a free may have gone unseen.
  void insert(const Allocation& allocation);
  /// The allocation that began at `address`.
  std::optional<Allocation> erase(std::uint64_t address);
  /// The allocation that `address` lies in.
  std::optional<Allocation> find(std::uint64_t address) const;
  /// The same in a signal handler: an empty allocation (of kDevice) where no more is known than
  /// that device or managed memory lies or has lain about there; none also when it cannot be told.
  std::optional<Allocation> find_from_signal(std::uint64_t address) const;
  /// Where all device and managed memory lies and has lain.
  WordRange device_addresses() const;
  /// Whether any 8-byte word of host memory is an address in device or managed memory. Reads the
  /// bytes once; they must be readable.
  bool holds_device_pointer(const void* data, std::uint64_t bytes) const;
  /// Marks the allocation around `address` as shared.
  void share(std::uint64_t address);
  /// How often an allocation came or went.
  std::uint64_t changes() const { return changes_.load(std::memory_order_relaxed); }
  /// Forgets what lives on `device`, and returns it.
  std::vector<Allocation> erase_device(std::int16_t device);

 private:
  using Ranges = std::map<std::uint64_t, Allocation>;
  Ranges::iterator containing(std::uint64_t address);

  std::atomic<std::uint64_t> changes_{0};
  mutable std::mutex mutex_;
  Ranges ranges_;  // by begin, disjoint
  WordRange device_addresses_;
};

}  // namespace xfer::tracer
