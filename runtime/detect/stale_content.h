#pragma once
// Content that only an emulated device would give: what a kernel that was skipped would have
// written is unchanged, so a program that downloads it and sends it back sends the same bytes every
// time, though on a real device each would be new. Such content proves nothing about repetition,
// nor does what the host may compute from it: see Scene::first_stale.
//
// Cost: O(1) a copy. Memory: one entry per buffer of a skipped kernel, a fixed number of contents.

#include <cstdint>
#include <unordered_set>

#include "detect/remembered.h"
#include "detect/shadow_map.h"
#include "detect/transfer.h"

namespace xfer {

class StaleContent {
 public:
  /// A kernel that may write the allocation, or any, was skipped.
  void skipped(const Allocation& allocation) { allocations_.insert(allocation.id); }
  void skipped_all() { all_ = true; }

  bool may_be_in(const Allocation& allocation) const {
    return all_ || allocations_.count(allocation.id) != 0;
  }
  /// Such content came to the host.
  void downloaded(const Transfer& transfer) {
    if (transfer.hashed()) contents_.put(transfer.event.hash_lo ^ transfer.event.bytes, true);
  }
  bool holds(const Transfer& transfer) {
    return transfer.hashed() &&
           contents_.find(transfer.event.hash_lo ^ transfer.event.bytes) != nullptr;
  }

 private:
  static constexpr std::size_t kMaxContents = std::size_t{1} << 16;

  bool all_ = false;
  std::unordered_set<std::uint64_t> allocations_;
  Remembered<std::uint64_t, bool> contents_{kMaxContents};
};

}  // namespace xfer
