#pragma once
// What devices may still be doing to memory, as far as the host knows: asynchronous copies between
// pinned memory and a device, and what kernels touch whose bytes are known. The rules about
// touching it too early ask. Of a kernel, each range is an entry of its own, that it reads
// (`source`), writes
// (`destination`), or both.
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

#include <array>
#include <deque>
#include <map>
#include <vector>

#include "detect/byte_range.h"
#include "detect/shadow_map.h"
#include "order/stream_order.h"

namespace xfer {

struct PendingUse {
  Event call;  ///< the copy, or the kernel's launch
  Work work;
  bool upload = false;
  ByteRange source;
  ByteRange destination;
  std::uint64_t allocation = 0;  ///< that holds its device side
  bool is_vague = false;         ///< the sides' bytes are some of the ranges' alone
  bool is_kernel = false;
  bool is_given_back = false;  ///< the program's allocator got its device memory back since
  std::uint64_t oldest = 0;    ///< correlation of the first of the same copies that it stands for

  ByteRange& on_device() { return upload ? destination : source; }
  const ByteRange& on_host() const { return upload ? source : destination; }
};

class PendingUses {
 public:
  using Side = ByteRange PendingUse::*;
  using Meets = bool (ByteRange::*)(const ByteRange&) const;

  /// After the event's effect on the order and on the memory.
  void see(const Event& event, Time now, StreamOrder& order, ShadowMap& memory);

  /// The pending work of this correlation whose side overlaps the range; null when there is none.
  const PendingUse* find(std::uint64_t correlation, Side side, const ByteRange& range) const;
  /// The pending copy whose side overlaps the range; null when there is none.
  const PendingUse* find(Side side, const ByteRange& range) const;
  /// Pending work that uses host memory of the range; null when there is none.
  const PendingUse* find_on_host(const ByteRange& range) const;
  /// One whose side overlaps or covers the range, of those that are sure to be in no order with
  /// what the event's stream does next.
  const PendingUse* find_unordered(Side side, Meets meets, const ByteRange& range,
                                   const Event& event, StreamOrder& order) const;
  /// The same of what kernels touch on devices. `other`: the side that must be empty, if any.
  const PendingUse* find_kernel(Side side, Side other, const ByteRange& range, const Event& event,
                                StreamOrder& order) const;
  /// The pinned memory that holds the address; empty when it is in none, or that was not seen.
  ByteRange pinned_around(std::uint64_t address) const;
  /// It has been reported.
  void forget(const PendingUse& use);
  bool empty() const { return copies_.empty() && on_devices_.empty() && on_host_.empty(); }

 private:
  using Uses = std::deque<PendingUse>;

  template <class Matches>
  static const PendingUse* first(const Uses& uses, Matches matches);
  void learn(const Event& event, StreamOrder& order);
  void note_pinned(const Event& event);
  void launched(const Event& launch, Time now, StreamOrder& order, ShadowMap& memory);
  void copied(const Event& copy, Time now, StreamOrder& order, ShadowMap& memory);
  void close_freed(const Event& event, ShadowMap& memory);

  static void add(Uses& uses, const PendingUse& use, std::size_t most);
  std::array<Uses*, 3> all() { return {&copies_, &on_devices_, &on_host_}; }

  static constexpr std::size_t kMostCopies = 512;
  static constexpr std::size_t kMostOnDevices = 128;
  static constexpr std::size_t kMostOnHost = 256;

  Uses copies_;
  Uses on_devices_;                                ///< of kernels
  Uses on_host_;                                   ///< of kernels
  std::map<std::uint64_t, std::uint64_t> pinned_;  ///< pinned memory, first byte to end
  std::uint64_t visible_launch_ = 0;  ///< correlation of a launch with buffers that the host sees
  std::vector<Event> touched_;        ///< bytes that the next launch touches
};

}  // namespace xfer
