#pragma once
// Asynchronous copies between pinned memory and a device that the host cannot know to be over: what
// the rules about touching their host side too early ask.
//
// A copy is in here only while that is certain. It leaves at the first call that makes the host
// wait for it or might (a sync or a successful query that covers it, an allocation, a free, a
// waiting copy in order after it), and at whatever could tell the host in a way that is not seen: a
// host function, or a kernel in order after it that may write where the host can look.
//
// Cost: O(pending copies) a call that waits, copies or touches pinned memory. Memory: a fixed
// number of copies; the oldest is forgotten.

#include <deque>

#include "detect/shadow_map.h"
#include "detect/stream_order.h"

namespace xfer {

struct PendingCopy {
  Event copy;
  Work work;
  bool upload = false;
  std::uint64_t begin = 0;  ///< of its range in pinned memory
  std::uint64_t end = 0;

  bool overlaps(std::uint64_t address, std::uint64_t bytes) const {
    return address < end && begin < address + bytes;
  }
};

class PendingCopies {
 public:
  /// After the event's effect on the order.
  void see(const Event& event, Time now, StreamOrder& order, ShadowMap& memory);

  /// The pending copy of that direction whose host range overlaps; null when there is none.
  const PendingCopy* find(bool upload, std::uint64_t address, std::uint64_t bytes) const;
  /// The same, of those that are sure to be in no order with what the event's stream does next.
  const PendingCopy* find_unordered(bool upload, std::uint64_t address, std::uint64_t bytes,
                                    const Event& event, StreamOrder& order) const;
  /// It has been reported.
  void forget(const PendingCopy& copy);
  void clear() { copies_.clear(); }

 private:
  void synced(const Event& sync, StreamOrder& order);
  void copied(const Event& copy, Time now, StreamOrder& order, ShadowMap& memory);

  static constexpr std::size_t kMost = 512;

  std::deque<PendingCopy> copies_;
  std::uint64_t visible_launch_ = 0;  ///< correlation of a launch with buffers that the host sees
};

}  // namespace xfer
