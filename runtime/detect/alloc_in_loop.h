#pragma once
// alloc-in-loop
//
// Finds: a line that allocates device, pinned or managed memory of a size that it allocated before
// and that was freed since, again and again in one thread (EngineOptions::least_reallocated times):
// one allocation before the loop would do. Proven; the cost is the time in those allocations and in
// the frees before them.
//
// Does not find: sizes that change; buffers of which more are held each time; memory of a pool
// (cudaMallocAsync, blocks of the program's own allocator), where this is cheap.
//
// Cost: O(1) an allocation. Memory: one entry per live allocation and per line and size.

#include <unordered_map>

#include "detect/detector.h"

namespace xfer {

class AllocInLoop : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void forget() override;

 private:
  struct Key {
    std::uint32_t site;
    std::uint32_t thread;
    std::int16_t device;
    Space space;
    std::uint64_t bytes;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Freed {
    std::uint64_t buffers = 0;
    std::uint64_t host_ns = 0;  ///< of their frees
    std::uint32_t site = 0;     ///< of the last of them
  };
  void allocated(const Event& event);
  void freed(const Event& event);

  std::unordered_map<std::uint64_t, Key> live_;  ///< by address
  std::unordered_map<Key, Freed, KeyHash> freed_;
};

}  // namespace xfer
