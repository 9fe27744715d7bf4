#include "detect/pending_uses.h"

#include <algorithm>
#include <iterator>

#include "order/host_lesson.h"

namespace xfer {

void PendingUses::see(const Event& event, Time now, StreamOrder& order, ShadowMap& memory) {
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

void PendingUses::learn(const Event& event, StreamOrder& order) {
  if (empty()) return;
  const HostLesson lesson(event, order, event.correlation == visible_launch_);
  if (lesson.is_empty()) return;
  for (Uses* const uses : all())
    std::erase_if(*uses,
                  [&](const PendingUse& pending) { return lesson.covers(pending.work, order); });
}

void PendingUses::note_pinned(const Event& event) {
  if ((event.flags & kSuballocation) != 0) return;
  if (event.kind == EventKind::kFree)
    pinned_.erase(event.address);
  else if (event.space == Space::kPinned)
    pinned_[event.address] = event.address + event.bytes;
}

ByteRange PendingUses::pinned_around(std::uint64_t address) const {
  const auto next = pinned_.upper_bound(address);
  if (next == pinned_.begin()) return {};
  const auto& [begin, end] = *std::prev(next);
  return address < end ? ByteRange{begin, end} : ByteRange{};
}

// What lies there now, or will, is other memory; or, of the program's own allocator, the same,
// which it hands out again.
void PendingUses::close_freed(const Event& event, ShadowMap& memory) {
  const auto is_gone = [&](PendingUse& pending, std::uint64_t address) {
    const Allocation* const there = memory.find(address);
    const std::uint64_t now = there != nullptr ? there->id : 0;
    if (now == pending.allocation) return false;
    if ((event.flags & kSuballocation) == 0) return true;
    pending.is_given_back = true;
    pending.allocation = now;
    return false;
  };
  for (PendingUse& pending : copies_) {
    ByteRange& side = pending.on_device();
    if (is_gone(pending, side.begin)) side = {};
  }
  std::erase_if(on_devices_, [&](PendingUse& pending) {
    return is_gone(pending, std::max(pending.source.begin, pending.destination.begin));
  });
}

void PendingUses::launched(const Event& launch, Time now, StreamOrder& order, ShadowMap& memory) {
  const StreamId stream = order.stream_of(launch);
  for (const Event& touched : touched_) {
    if (touched.correlation != launch.correlation || !order.is_known(stream)) continue;
    const bool on_device = touched.space == Space::kDevice;
    const Allocation* const allocation = on_device ? memory.find(touched.address) : nullptr;
    if (on_device && (allocation == nullptr || order.has_one_stream())) continue;
    PendingUse made;
    made.call = launch;
    made.call.bytes = touched.bytes;
    made.work = {stream, now};
    made.is_kernel = true;
    const auto range = bytes_at_address(touched);
    if (!range) continue;
    if ((touched.flags & kReads) != 0) made.source = *range;
    if ((touched.flags & kWrites) != 0) made.destination = *range;
    if (!on_device) {
      add(on_host_, made, kMostOnHost);
      continue;
    }
    made.allocation = allocation->id;
    // The last of several on one stream that do the same stands for all.
    std::erase_if(on_devices_, [&](const PendingUse& pending) {
      return pending.work.stream == stream && pending.source == made.source &&
             pending.destination == made.destination;
    });
    add(on_devices_, made, kMostOnDevices);
  }
  touched_.clear();
}

void PendingUses::copied(const Event& copy, Time now, StreamOrder& order, ShadowMap& memory) {
  if (copy.bytes == 0) return;
  if ((copy.flags & kAsync) == 0) return learn(copy, order);
  const StreamId stream = order.stream_of(copy);
  const auto from = bytes_at_source(copy);
  const auto to = bytes_at_address(copy);
  const bool strided = (copy.flags & kStrided) != 0;
  const std::uint64_t to_bytes = strided ? copy.extent : copy.bytes;
  const std::uint64_t from_bytes = strided ? copy.source_extent : copy.bytes;
  const bool upload = is_pinned_upload(copy);
  if (upload == is_pinned_download(copy) || to_bytes == 0 || from_bytes == 0 ||
      !order.is_known(stream))
    return;
  PendingUse made{copy,
                  {stream, now},
                  upload,
                  from.value_or(ByteRange{copy.source, copy.source + from_bytes}),
                  to.value_or(ByteRange{copy.address, copy.address + to_bytes}),
                  0,
                  !from || !to};
  ByteRange& on_device = made.on_device();
  if (const Allocation* const allocation =
          memory.find(on_device.begin, on_device.end - on_device.begin))
    made.allocation = allocation->id;
  else
    on_device = {};  // an array, say, whose handle is no address
  made.oldest = copy.correlation;
  std::erase_if(copies_, [&](const PendingUse& pending) {
    const bool same = pending.work.stream == stream && pending.source == made.source &&
                      pending.destination == made.destination && pending.is_vague == made.is_vague;
    if (same) made.oldest = pending.oldest;
    return same;
  });
  add(copies_, made, kMostCopies);
}

void PendingUses::add(Uses& uses, const PendingUse& use, std::size_t most) {
  if (uses.size() >= most) uses.pop_front();
  uses.push_back(use);
}

template <class Matches>
const PendingUse* PendingUses::first(const Uses& uses, Matches matches) {
  const auto found = std::find_if(uses.begin(), uses.end(), matches);
  return found != uses.end() ? &*found : nullptr;
}

const PendingUse* PendingUses::find(Side side, const ByteRange& range) const {
  return first(copies_, [&](const PendingUse& pending) {
    return !pending.is_vague && (pending.*side).overlaps(range);
  });
}

const PendingUse* PendingUses::find(std::uint64_t correlation, Side side,
                                    const ByteRange& range) const {
  const auto is_it = [&](const PendingUse& pending) {
    return pending.call.correlation == correlation && (pending.*side).overlaps(range);
  };
  const auto stands_for_it = [&](const PendingUse& pending) {
    return pending.oldest <= correlation && correlation <= pending.call.correlation &&
           (pending.*side).overlaps(range);
  };
  if (const PendingUse* const copy = first(copies_, is_it)) return copy;
  const PendingUse* const kernel = first(on_host_, is_it);
  return kernel != nullptr ? kernel : first(copies_, stands_for_it);
}

const PendingUse* PendingUses::find_on_host(const ByteRange& range) const {
  const PendingUse* const copy =
      first(copies_, [&](const PendingUse& use) { return use.on_host().overlaps(range); });
  return copy != nullptr ? copy : first(on_host_, [&](const PendingUse& use) {
    return use.source.overlaps(range) || use.destination.overlaps(range);
  });
}

const PendingUse* PendingUses::find_unordered(Side side, Meets meets, const ByteRange& range,
                                              const Event& event, StreamOrder& order) const {
  if (copies_.empty()) return nullptr;
  const StreamId stream = order.stream_of(event);
  if (!order.is_known(stream)) return nullptr;
  return first(copies_, [&](const PendingUse& pending) {
    return !pending.is_vague && ((pending.*side).*meets)(range) &&
           !order.done_before(pending.work, stream);
  });
}

const PendingUse* PendingUses::find_kernel(Side side, Side other, const ByteRange& range,
                                           const Event& event, StreamOrder& order) const {
  if (on_devices_.empty()) return nullptr;
  const StreamId stream = order.stream_of(event);
  if (!order.is_known(stream)) return nullptr;
  return first(on_devices_, [&](const PendingUse& its) {
    return (its.*side).overlaps(range) && (other == nullptr || (its.*other).end == 0) &&
           !order.done_before(its.work, stream);
  });
}

void PendingUses::forget(const PendingUse& use) {
  const Time time = use.work.time;
  for (Uses* const uses : all())
    std::erase_if(*uses, [&](const PendingUse& pending) { return pending.work.time == time; });
}

}  // namespace xfer
