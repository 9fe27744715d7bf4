#include "detect/pending_copies.h"

#include <algorithm>
#include <iterator>

#include "order/host_lesson.h"

namespace xfer {

void PendingCopies::see(const Event& event, Time now, StreamOrder& order, ShadowMap& memory) {
  switch (event.kind) {
    case EventKind::kCopy: return copied(event, now, order, memory);
    case EventKind::kLaunchArg:
      if ((event.flags & kPlain) != 0)
        touched_.push_back(event);
      else if (memory.find(event.address) == nullptr)
        visible_launch_ = event.correlation;
      return;
    case EventKind::kAlloc:
    case EventKind::kFree: note_pinned(event); break;
    default: break;
  }
  learn(event, order);
  if (event.kind == EventKind::kLaunch) launched(event, now, order, memory);
  if (event.kind == EventKind::kAlloc || event.kind == EventKind::kFree) close_freed(event, memory);
}

void PendingCopies::learn(const Event& event, StreamOrder& order) {
  if (empty()) return;
  const HostLesson lesson(event, order, event.correlation == visible_launch_);
  if (lesson.is_empty()) return;
  for (std::deque<PendingCopy>* const works : {&copies_, &kernels_})
    std::erase_if(*works,
                  [&](const PendingCopy& pending) { return lesson.covers(pending.work, order); });
}

void PendingCopies::note_pinned(const Event& event) {
  if ((event.flags & kSuballocation) != 0) return;
  if (event.kind == EventKind::kFree)
    pinned_.erase(event.address);
  else if (event.space == Space::kPinned)
    pinned_[event.address] = event.address + event.bytes;
}

ByteRange PendingCopies::pinned_around(std::uint64_t address) const {
  const auto next = pinned_.upper_bound(address);
  if (next == pinned_.begin()) return {};
  const auto& [begin, end] = *std::prev(next);
  return address < end ? ByteRange{begin, end} : ByteRange{};
}

// What lies there now, or will, is other memory; or, of the program's own allocator, the same,
// which it hands out again.
void PendingCopies::close_freed(const Event& event, ShadowMap& memory) {
  const auto is_gone = [&](PendingCopy& pending, std::uint64_t address) {
    const Allocation* const there = memory.find(address);
    const std::uint64_t now = there != nullptr ? there->id : 0;
    if (now == pending.allocation) return false;
    if ((event.flags & kSuballocation) == 0) return true;
    pending.is_given_back = true;
    pending.allocation = now;
    return false;
  };
  for (PendingCopy& pending : copies_) {
    if (pending.is_kernel) continue;
    ByteRange& side = pending.on_device();
    if (is_gone(pending, side.begin)) side = {};
  }
  std::erase_if(kernels_, [&](PendingCopy& pending) {
    return is_gone(pending, std::max(pending.source.begin, pending.destination.begin));
  });
}

void PendingCopies::launched(const Event& launch, Time now, StreamOrder& order, ShadowMap& memory) {
  const StreamId stream = order.stream_of(launch);
  for (const Event& touched : touched_) {
    if (touched.correlation != launch.correlation || !order.is_known(stream)) continue;
    const bool on_device = touched.space == Space::kDevice;
    const Allocation* const allocation = on_device ? memory.find(touched.address) : nullptr;
    if (on_device && (allocation == nullptr || order.has_one_stream())) continue;
    PendingCopy made;
    made.copy = launch;
    made.copy.bytes = touched.bytes;
    made.work = {stream, now};
    made.is_kernel = true;
    const ByteRange range{touched.address, touched.address + touched.bytes};
    if ((touched.flags & kReads) != 0) made.source = range;
    if ((touched.flags & kWrites) != 0) made.destination = range;
    if (!on_device) {
      if (copies_.size() >= kMost) copies_.pop_front();
      copies_.push_back(made);
      continue;
    }
    made.allocation = allocation->id;
    // The last of several on one stream that do the same stands for all.
    std::erase_if(kernels_, [&](const PendingCopy& pending) {
      return pending.work.stream == stream && pending.source == made.source &&
             pending.destination == made.destination;
    });
    if (kernels_.size() >= kMostOfKernels) kernels_.pop_front();
    kernels_.push_back(made);
  }
  touched_.clear();
}

void PendingCopies::copied(const Event& copy, Time now, StreamOrder& order, ShadowMap& memory) {
  if (copy.bytes == 0) return;
  if ((copy.flags & kAsync) == 0) return learn(copy, order);
  const StreamId stream = order.stream_of(copy);
  const bool has_gaps = (copy.flags & kStrided) != 0;
  const std::uint64_t to_bytes = has_gaps ? copy.extent : copy.bytes;
  const std::uint64_t from_bytes = has_gaps ? copy.source_extent : copy.bytes;
  const Allocation* const to =
      copy.source_space == Space::kPinned ? memory.find(copy.address, to_bytes) : nullptr;
  const Allocation* const from =
      copy.space == Space::kPinned ? memory.find(copy.source, from_bytes) : nullptr;
  const bool upload = to != nullptr;
  if (upload == (from != nullptr) || to_bytes == 0 || from_bytes == 0 || !order.is_known(stream))
    return;
  const PendingCopy made{copy,
                         {stream, now},
                         upload,
                         {copy.source, copy.source + from_bytes},
                         {copy.address, copy.address + to_bytes},
                         upload ? to->id : from->id,
                         has_gaps};
  std::erase_if(copies_, [&](const PendingCopy& pending) {
    return pending.work.stream == stream && pending.source == made.source &&
           pending.destination == made.destination && pending.has_gaps == has_gaps;
  });
  if (copies_.size() >= kMost) copies_.pop_front();
  copies_.push_back(made);
}

template <class Matches>
const PendingCopy* PendingCopies::first(const std::deque<PendingCopy>& works, Matches matches) {
  const auto found = std::find_if(works.begin(), works.end(), matches);
  return found != works.end() ? &*found : nullptr;
}

const PendingCopy* PendingCopies::find(Side side, const ByteRange& range) const {
  return first(copies_, [&](const PendingCopy& pending) {
    return !pending.has_gaps && !pending.is_kernel && (pending.*side).overlaps(range);
  });
}

const PendingCopy* PendingCopies::find(std::uint64_t correlation, Side side,
                                       const ByteRange& range) const {
  return first(copies_, [&](const PendingCopy& pending) {
    return pending.copy.correlation == correlation && (pending.*side).overlaps(range);
  });
}

const PendingCopy* PendingCopies::find_unordered(Side side, Meets meets, const ByteRange& range,
                                                 const Event& event, StreamOrder& order) const {
  if (copies_.empty()) return nullptr;
  const StreamId stream = order.stream_of(event);
  if (!order.is_known(stream)) return nullptr;
  return first(copies_, [&](const PendingCopy& pending) {
    return !pending.has_gaps && !pending.is_kernel && ((pending.*side).*meets)(range) &&
           !order.done_before(pending.work, stream);
  });
}

const PendingCopy* PendingCopies::find_kernel(Side side, Side other, const ByteRange& range,
                                              const Event& event, StreamOrder& order) const {
  if (kernels_.empty()) return nullptr;
  const StreamId stream = order.stream_of(event);
  if (!order.is_known(stream)) return nullptr;
  return first(kernels_, [&](const PendingCopy& its) {
    return (its.*side).overlaps(range) && (other == nullptr || (its.*other).end == 0) &&
           !order.done_before(its.work, stream);
  });
}

void PendingCopies::forget(const PendingCopy& copy) {
  const auto is_it = [time = copy.work.time](const PendingCopy& pending) {
    return pending.work.time == time;
  };
  std::erase_if(copies_, is_it);
  std::erase_if(kernels_, is_it);
}

}  // namespace xfer
