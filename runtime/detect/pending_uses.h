#pragma once
// Uses of memory that devices may still be making, as far as the host knows: asynchronous copies,
// fills, kernels' accesses whose bytes are known, and the work of graphs. The rules about memory
// touched too early look here. Each range of a kernel or a graph is an entry of its own: the kernel
// or graph reads it (`source`), writes it (`destination`), or both.
//
// A use is in here only while that is certain. It leaves at the first call that makes the host
// wait for it or might (a sync or a successful query that covers it, a free, a waiting copy in
// order after it), and at whatever could tell the host in a way that is not seen: a host function,
// or a kernel in order after it that may write where the host can look. Of uses on one stream that
// do the same to the same places the last stands for all: what is in order after it is in order
// after the others.
//
// Cost: O(uses) a call that waits, copies or fills, a touch of the host, and a kernel's argument.
// Memory: a fixed number of each kind, of which the oldest is forgotten; a few words for each
// pinned block.

#include <array>
#include <deque>
#include <map>
#include <vector>

#include "detect/byte_range.h"
#include "detect/shadow_map.h"
#include "order/stream_order.h"
#include "xfer/engine.h"

namespace xfer {

struct PendingUse {
  enum class Kind {
    kTransfer,  ///< between pinned memory and a device
    kCopy,      ///< any other, or a fill
    kKernel,
  };

  Event call;  ///< the copy, fill or launch
  Work work;
  Kind kind = Kind::kCopy;
  ByteRange source;
  ByteRange destination;
  std::uint64_t source_allocation = 0;       ///< of a device, that holds it; 0: host memory
  std::uint64_t destination_allocation = 0;  ///< the same
  bool is_vague = false;                     ///< the sides' bytes are some of the ranges' alone
  bool is_given_back = false;  ///< the program's allocator got its device memory back since
  std::uint64_t oldest = 0;    ///< correlation of the first of the same that it stands for

  bool is_kernel() const { return kind == Kind::kKernel; }
  EarlyWork early() const {
    if (call.kind == EventKind::kLaunch) return EarlyWork::kKernel;
    return call.kind == EventKind::kSet ? EarlyWork::kFill : EarlyWork::kCopy;
  }
  bool does_as(const PendingUse& other) const {
    return work.stream == other.work.stream && kind == other.kind && source == other.source &&
           destination == other.destination && is_vague == other.is_vague;
  }
};

class PendingUses {
 public:
  using Side = ByteRange PendingUse::*;
  using Meets = bool (ByteRange::*)(const ByteRange&) const;

  /// After the event's effect on the order and on the memory.
  void see(const Event& event, Time now, StreamOrder& order, ShadowMap& memory);

  /// The pending work of this correlation whose side overlaps the range; null when there is none.
  const PendingUse* find(std::uint64_t correlation, Side side, const ByteRange& range) const;
  /// The pending transfer whose side overlaps the range; null when there is none.
  const PendingUse* find(Side side, const ByteRange& range) const;
  /// Pending work that uses host memory of the range; null when there is none.
  const PendingUse* find_on_host(const ByteRange& range) const;
  /// One that counts, whose side overlaps or covers the range, of those that are sure to be in no
  /// order with what the event's stream does next.
  using Counts = bool (*)(const PendingUse&);
  const PendingUse* find_unordered(
      Side side, Meets meets, const ByteRange& range, const Event& event, StreamOrder& order,
      Counts counts = [](const PendingUse&) { return true; }) const;
  /// The pinned memory that holds the address; empty when it is in none, or that was not seen.
  ByteRange pinned_around(std::uint64_t address) const;
  /// It has been reported.
  void forget(const PendingUse& use);
  bool empty() const { return uses_[0].empty() && uses_[1].empty() && uses_[2].empty(); }

 private:
  using Uses = std::deque<PendingUse>;

  Uses& of(PendingUse::Kind kind) { return uses_[static_cast<std::size_t>(kind)]; }
  const Uses& of(PendingUse::Kind kind) const { return uses_[static_cast<std::size_t>(kind)]; }
  template <class Matches>
  static const PendingUse* first(const Uses& uses, Matches matches);
  void learn(const Event& event, StreamOrder& order);
  void note_pinned(const Event& event);
  void launched(const Event& launch, Time now, StreamOrder& order, ShadowMap& memory);
  void copied(const Event& copy, Time now, StreamOrder& order, ShadowMap& memory);
  void filled(const Event& fill, Time now, StreamOrder& order, ShadowMap& memory);
  void close_freed(const Event& event, ShadowMap& memory);
  void add(PendingUse use);

  static constexpr std::array<std::size_t, 3> kMost = {512, 256, 384};  // by kind

  std::array<Uses, 3> uses_;                       ///< by kind
  std::map<std::uint64_t, std::uint64_t> pinned_;  ///< pinned memory, first byte to end
  std::uint64_t visible_launch_ = 0;  ///< correlation of a launch with buffers that the host sees
  std::vector<Event> touched_;        ///< bytes that the next launch touches
};

}  // namespace xfer
