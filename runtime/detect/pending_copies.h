#pragma once
// Asynchronous copies between pinned memory and a device that the host cannot know to be over, and
// what kernels touch whose bytes are known: what the rules about touching them too early ask. Of a
// kernel, each range is an entry of its own, that it reads (`source`), writes (`destination`), or
// both.
//
// A copy is in here only while that is certain. It leaves at the first call that makes the host
// wait for it or might (a sync or a successful query that covers it, an allocation, a free, a
// waiting copy in order after it), and at whatever could tell the host in a way that is not seen: a
// host function, or a kernel in order after it that may write where the host can look. Of copies on
// one stream between the same places the last stands for all: what is in order after it is in order
// after the others.
//
// Cost: O(pending copies) a call that waits, copies, fills or touches pinned memory, and a kernel's
// argument. Memory: a fixed number of each, of which the oldest is forgotten; a few words for each
// pinned block.

#include <deque>
#include <map>
#include <vector>

#include "detect/shadow_map.h"
#include "order/stream_order.h"

namespace xfer {

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool overlaps(const ByteRange& other) const { return begin < other.end && other.begin < end; }
  bool covers(const ByteRange& other) const { return begin <= other.begin && other.end <= end; }
  bool operator==(const ByteRange&) const = default;
};

struct PendingCopy {
  Event copy;
  Work work;
  bool upload = false;
  ByteRange source;
  ByteRange destination;
  std::uint64_t allocation = 0;  ///< that holds its device side
  bool has_gaps = false;         ///< the sides' bytes are some of the ranges' alone
  bool is_kernel = false;        ///< `copy` is its launch
  bool is_given_back = false;    ///< the program's allocator got its device memory back since

  ByteRange& on_device() { return upload ? destination : source; }
};

class PendingCopies {
 public:
  using Side = ByteRange PendingCopy::*;
  using Meets = bool (ByteRange::*)(const ByteRange&) const;

  /// After the event's effect on the order and on the memory.
  void see(const Event& event, Time now, StreamOrder& order, ShadowMap& memory);

  /// The pending work of this correlation whose side overlaps the range; null when there is none.
  const PendingCopy* find(std::uint64_t correlation, Side side, const ByteRange& range) const;
  /// The pending copy whose side overlaps the range; null when there is none.
  const PendingCopy* find(Side side, const ByteRange& range) const;
  /// One whose side overlaps or covers the range, of those that are sure to be in no order with
  /// what the event's stream does next.
  const PendingCopy* find_unordered(Side side, Meets meets, const ByteRange& range,
                                    const Event& event, StreamOrder& order) const;
  /// The same of what kernels touch on devices. `other`: the side that must be empty, if any.
  const PendingCopy* find_kernel(Side side, Side other, const ByteRange& range, const Event& event,
                                 StreamOrder& order) const;
  /// The pinned memory that holds the address; empty when it is in none, or that was not seen.
  ByteRange pinned_around(std::uint64_t address) const;
  /// It has been reported.
  void forget(const PendingCopy& copy);
  bool empty() const { return copies_.empty() && kernels_.empty(); }

 private:
  template <class Matches>
  static const PendingCopy* first(const std::deque<PendingCopy>& works, Matches matches);
  void learn(const Event& event, StreamOrder& order);
  void note_pinned(const Event& event);
  void launched(const Event& launch, Time now, StreamOrder& order, ShadowMap& memory);
  void copied(const Event& copy, Time now, StreamOrder& order, ShadowMap& memory);
  void close_freed(const Event& event, ShadowMap& memory);

  static constexpr std::size_t kMost = 512;
  static constexpr std::size_t kMostOfKernels = 128;

  std::deque<PendingCopy> copies_;                 ///< and what kernels touch in host memory
  std::deque<PendingCopy> kernels_;                ///< what they touch on devices
  std::map<std::uint64_t, std::uint64_t> pinned_;  ///< pinned memory, first byte to end
  std::uint64_t visible_launch_ = 0;  ///< correlation of a launch with buffers that the host sees
  std::vector<Event> touched_;        ///< bytes that the next launch touches
};

}  // namespace xfer
