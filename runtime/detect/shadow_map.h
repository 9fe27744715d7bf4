#pragma once
// Facts about the devices' memory: the live allocations, and for each of their bytes the copy that
// wrote it last, if no kernel may have written it since.
//
// Precise where it answers, silent where it cannot know: memory whose allocation was not seen
// (globals, mapped address ranges) and managed memory are not tracked at all.
//
// Cost: a kernel's argument O(log allocations), whatever the number of copies in the allocation:
// kernels leave a time stamp on the allocation, and copies are compared with it on request.
// A copy O(log copies), amortised. Memory: one segment per live copy.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "detect/transfer.h"
#include "order/stream_order.h"

namespace xfer {

/// Work that may still be running, one entry per stream.
class PendingWork {
 public:
  void add(const Work& work, const StreamOrder& order);
  /// Everything here is certain to be over before what `stream` is given next.
  bool done_before(StreamId stream, const StreamOrder& order) const;

 private:
  std::vector<Work> work_;
  bool overflowed_ = false;
};

struct Segment {
  std::uint64_t end = 0;
  Time time = 0;
  TransferPtr writer;  ///< null: a set, or a kernel whose range is known
};

struct Allocation {
  std::uint64_t id = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::int16_t device = 0;
  std::uint32_t site = 0;
  Time touched = 0;  ///< last kernel that may read or write it
  Time written = 0;  ///< last kernel that may write it
  PendingWork touching;
  PendingWork writing;
  std::map<std::uint64_t, Segment> segments;  ///< by first byte; disjoint
};

class ShadowMap {
 public:
  /// Told when the last byte of a copy is overwritten, or its allocation freed.
  /// `by`: the transfer that overwrote it, or null. The transfer's `end` and `modified` are set.
  using OnEnd = std::function<void(const TransferPtr& gone, const Event& cause)>;
  explicit ShadowMap(OnEnd on_end) : on_end_(std::move(on_end)) {}

  /// With kSuballocation, the allocation that the block was cut from becomes a pool: only its
  /// blocks are tracked from then on.
  void allocate(const Event& event);
  void free(const Event& event);
  /// Drops all knowledge without a word: events were lost.
  void forget();
  /// Ends every live transfer with kProgramEnd.
  void end_program();

  /// Whether an allocation that begins there is one that blocks were cut from.
  bool is_pool(std::uint64_t address) const { return pools_.count(address) != 0; }
  Allocation* find(std::uint64_t address);
  /// The allocation that holds all of the range, or null.
  Allocation* find(std::uint64_t address, std::uint64_t bytes);
  bool overlaps(std::uint64_t address, std::uint64_t bytes);

  /// A kernel with an argument that points into an allocation: it touches the argument's bytes, or
  /// anything there.
  void kernel_argument(const Event& argument, const Work& work, const StreamOrder& order);
  /// A kernel that wrote every byte of the range and read none.
  void kernel_output(const Event& argument, const Work& work, const StreamOrder& order);
  void touch_all(Time now) { all_touched_ = std::max(all_touched_, now); }
  void kernel_may_touch_all(const Work& work, const StreamOrder& order);

  /// The transfer that wrote exactly this range, all of it still there and sure to be unmodified.
  TransferPtr holder(const Allocation& allocation, std::uint64_t address,
                     std::uint64_t extent) const;
  /// The same where kernels of unknown parameters have run since: for who has checked the content.
  TransferPtr holder_if_checked(const Allocation& allocation, std::uint64_t address,
                                std::uint64_t extent) const;
  /// No kernel and no copy has changed the range since `time`.
  bool unmodified_since(const Allocation& allocation, std::uint64_t address, std::uint64_t extent,
                        Time time) const;
  bool maybe_touched_by_kernel(const Allocation& allocation, Time since) const {
    return allocation.touched > since || all_touched_ > since;
  }
  bool maybe_written_by_kernel(const Allocation& allocation, Time since) const {
    return allocation.written > since || all_touched_ > since;
  }
  /// Kernels given before that may write (or touch) the allocation are over before `stream`'s next
  /// work.
  bool writers_done(const Allocation& allocation, StreamId stream, const StreamOrder& order) const;
  bool touchers_done(const Allocation& allocation, StreamId stream, const StreamOrder& order) const;

  /// A copy read the range.
  void read(Allocation& allocation, std::uint64_t address, std::uint64_t extent);
  /// A copy or set wrote the range; `writer` null for a set or an unknown source. `covers`: every
  /// byte of it, as strided ones do not.
  void write(Allocation& allocation, std::uint64_t address, std::uint64_t extent, Time time,
             const TransferPtr& writer, bool covers, const Event& cause);
  /// A write of unknown place and extent.
  void write_somewhere(Allocation& allocation, Time time);

 private:
  using Segments = std::map<std::uint64_t, Segment>;
  Segments::iterator split_at(Allocation& allocation, std::uint64_t address);
  void lose(Allocation& allocation, const Segment& segment, std::uint64_t bytes, End end,
            const Event& cause);
  void drop_overlaps(const Event& event);
  /// f(allocation, first byte, bytes), for each that the range touches.
  template <class F>
  void for_each_part(std::uint64_t begin, std::uint64_t end, F f);
  void touch_anywhere(Allocation& allocation, bool writes, const Work& work,
                      const StreamOrder& order);
  static void note_pending(Allocation& allocation, bool writes, const Work& work,
                           const StreamOrder& order);
  void drop(std::map<std::uint64_t, Allocation>::iterator allocation, End end, const Event& cause);

  OnEnd on_end_;
  std::map<std::uint64_t, Allocation> allocations_;  // by first byte
  std::map<std::uint64_t, std::uint64_t> pools_;     // first byte to end
  std::uint64_t next_id_ = 1;
  Time all_touched_ = 0;
  PendingWork touching_all_;
};

}  // namespace xfer
