#include "detect/shadow_map.h"

#include <algorithm>
#include <iterator>

namespace xfer {
namespace {

template <class SomeAllocation, class Visit>
void for_overlaps(SomeAllocation& allocation, std::uint64_t address, std::uint64_t extent,
                  Visit visit) {
  auto at = allocation.segments.upper_bound(address);
  if (at != allocation.segments.begin() && std::prev(at)->second.end > address) --at;
  for (; at != allocation.segments.end() && at->first < address + extent; ++at) visit(at->second);
}

}  // namespace

void PendingWork::add(const Work& work, const StreamOrder& order) {
  for (Work& known : work_)
    if (known.stream == work.stream) {
      known.time = work.time;
      return;
    }
  constexpr std::size_t kTidyAt = 16;
  constexpr std::size_t kMost = 256;
  if (work_.size() >= kTidyAt)
    std::erase_if(work_, [&](const Work& known) { return order.host_knows(known); });
  if (work_.size() >= kMost)
    overflowed_ = true;
  else
    work_.push_back(work);
}

bool PendingWork::done_before(StreamId stream, const StreamOrder& order) const {
  return !overflowed_ && std::all_of(work_.begin(), work_.end(), [&](const Work& work) {
    return order.done_before(work, stream);
  });
}

void ShadowMap::allocate(const Event& event) {
  if (event.bytes == 0 || event.address + event.bytes < event.address) return;
  std::int16_t device = event.device;
  if ((event.flags & kSuballocation) != 0) {
    const auto next = pools_.upper_bound(event.address);
    const bool in_pool = next != pools_.begin() && std::prev(next)->second > event.address;
    if (!in_pool) {
      // Memory that was not seen to be allocated is no better known in parts.
      const auto outer = allocations_.upper_bound(event.address);
      if (outer == allocations_.begin()) return;
      const Allocation& whole = std::prev(outer)->second;
      if (whole.end <= event.address) return;
      device = whole.device;
      pools_[whole.begin] = whole.end;
    }
  } else {
    pools_.erase(event.address);
  }
  drop_overlaps(event);
  Allocation& allocation = allocations_[event.address];
  allocation.id = next_id_++;
  allocation.begin = event.address;
  allocation.end = event.address + event.bytes;
  allocation.device = device;
  allocation.site = event.site;
}

// Allocations that the new one overlaps were freed without our seeing it, or become a pool.
void ShadowMap::drop_overlaps(const Event& event) {
  auto at = allocations_.lower_bound(event.address);
  if (at != allocations_.begin() && std::prev(at)->second.end > event.address) --at;
  while (at != allocations_.end() && at->second.begin < event.address + event.bytes)
    drop(at++, End::kForgotten, event);
}

void ShadowMap::free(const Event& event) {
  const auto pool = pools_.find(event.address);
  if (pool != pools_.end() && (event.flags & kSuballocation) == 0) {
    for (auto at = allocations_.lower_bound(pool->first);
         at != allocations_.end() && at->first < pool->second;)
      drop(at++, End::kForgotten, event);
    pools_.erase(pool);
    return;
  }
  const auto found = allocations_.find(event.address);
  if (found != allocations_.end()) drop(found, End::kFreed, event);
}

void ShadowMap::drop(std::map<std::uint64_t, Allocation>::iterator allocation, End end,
                     const Event& cause) {
  Allocation& dying = allocation->second;
  for (const auto& [begin, segment] : dying.segments)
    lose(dying, segment, segment.end - begin, end, cause);
  allocations_.erase(allocation);
}

void ShadowMap::forget() {
  allocations_.clear();
  pools_.clear();
  touching_all_ = {};
}

void ShadowMap::end_program() {
  const Event none;
  while (!allocations_.empty()) drop(allocations_.begin(), End::kProgramEnd, none);
}

Allocation* ShadowMap::find(std::uint64_t address) {
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return nullptr;
  Allocation& allocation = std::prev(next)->second;
  return address < allocation.end ? &allocation : nullptr;
}

Allocation* ShadowMap::find(std::uint64_t address, std::uint64_t bytes) {
  Allocation* allocation = find(address);
  return allocation != nullptr && bytes <= allocation->end - address ? allocation : nullptr;
}

bool ShadowMap::overlaps(std::uint64_t address, std::uint64_t bytes) {
  if (find(address) != nullptr) return true;
  const auto next = allocations_.lower_bound(address);
  return next != allocations_.end() && next->first - address < bytes;
}

template <class F>
void ShadowMap::for_each_part(std::uint64_t begin, std::uint64_t end, F f) {
  auto at = allocations_.upper_bound(begin);
  if (at != allocations_.begin() && std::prev(at)->second.end > begin) --at;
  for (; at != allocations_.end() && at->first < end; ++at) {
    const std::uint64_t first = std::max(begin, at->first);
    f(at->second, first, std::min(end, at->second.end) - first);
  }
}

void ShadowMap::touch_anywhere(Allocation& allocation, bool writes, const Work& work,
                               const StreamOrder& order) {
  allocation.touched = work.time;
  if (writes) allocation.written = work.time;
  note_pending(allocation, writes, work, order);
}

void ShadowMap::note_pending(Allocation& allocation, bool writes, const Work& work,
                             const StreamOrder& order) {
  allocation.touching.add(work, order);
  if (writes) allocation.writing.add(work, order);
}

void ShadowMap::kernel_argument(const Event& argument, const Work& work, const StreamOrder& order) {
  const std::uint64_t address = argument.address;
  const bool writes = (argument.flags & kWrites) != 0;
  const bool has_gaps = (argument.flags & kStrided) != 0;
  const std::uint64_t extent = extent_at_address(argument);
  if (extent == 0) {
    if (Allocation* const allocation = find(address))
      touch_anywhere(*allocation, writes, work, order);
  } else {
    for_each_part(address, address + extent,
                  [&](Allocation& allocation, std::uint64_t first, std::uint64_t bytes) {
                    // An extent up to the allocation's end says no more than that: the kernel may
                    // step back as well.
                    if (has_gaps || first + bytes == allocation.end)
                      return touch_anywhere(allocation, writes, work, order);
                    for_overlaps(allocation, first, bytes, [](Segment& segment) {
                      if (segment.writer != nullptr) segment.writer->maybe_used = true;
                    });
                    if (writes) write(allocation, first, bytes, work.time, nullptr, true, Event{});
                    note_pending(allocation, writes, work, order);
                  });
  }
  // One past the end is how a kernel is told where to stop: it belongs to what lies before. Not
  // where another allocation begins: cudaMalloc puts buffers end to end, and then it is that one's
  // address.
  if (address != 0 && find(address) == nullptr)
    if (Allocation* before = find(address - 1); before != nullptr && before->end == address)
      touch_anywhere(*before, writes, work, order);
}

void ShadowMap::kernel_output(const Event& argument, const Work& work, const StreamOrder& order) {
  for_each_part(argument.address, argument.address + argument.bytes,
                [&](Allocation& allocation, std::uint64_t first, std::uint64_t bytes) {
                  write(allocation, first, bytes, work.time, nullptr, true, argument);
                  note_pending(allocation, true, work, order);
                });
}

void ShadowMap::kernel_may_touch_all(const Work& work, const StreamOrder& order) {
  all_touched_ = work.time;
  touching_all_.add(work, order);
}

TransferPtr ShadowMap::holder(const Allocation& allocation, std::uint64_t address,
                              std::uint64_t extent) const {
  TransferPtr writer = holder_if_checked(allocation, address, extent);
  return writer != nullptr && all_touched_ <= writer->time ? writer : nullptr;
}

TransferPtr ShadowMap::holder_if_checked(const Allocation& allocation, std::uint64_t address,
                                         std::uint64_t extent) const {
  const auto found = allocation.segments.find(address);
  if (found == allocation.segments.end()) return nullptr;
  const TransferPtr& writer = found->second.writer;
  const bool exact = writer != nullptr && writer->certain && writer->event.address == address &&
                     writer->extent() == extent && writer->live_bytes == extent;
  return exact && allocation.written <= writer->time ? writer : nullptr;
}

bool ShadowMap::unmodified_since(const Allocation& allocation, std::uint64_t address,
                                 std::uint64_t extent, Time time) const {
  bool unmodified = !maybe_written_by_kernel(allocation, time);
  for_overlaps(allocation, address, extent,
               [&](const Segment& segment) { unmodified &= segment.time <= time; });
  return unmodified;
}

bool ShadowMap::writers_done(const Allocation& allocation, StreamId stream,
                             const StreamOrder& order) const {
  return allocation.writing.done_before(stream, order) && touching_all_.done_before(stream, order);
}

bool ShadowMap::touchers_done(const Allocation& allocation, StreamId stream,
                              const StreamOrder& order) const {
  return allocation.touching.done_before(stream, order) && touching_all_.done_before(stream, order);
}

void ShadowMap::read(Allocation& allocation, std::uint64_t address, std::uint64_t extent) {
  for_overlaps(allocation, address, extent, [](Segment& segment) {
    if (segment.writer != nullptr) segment.writer->read_by_copy = true;
  });
}

// Makes a segment begin at `address` if one lies across it; gives the first that begins there or
// later.
ShadowMap::Segments::iterator ShadowMap::split_at(Allocation& allocation, std::uint64_t address) {
  Segments& segments = allocation.segments;
  const auto next = segments.lower_bound(address);
  if (next == segments.begin()) return next;
  const auto across = std::prev(next);
  if (across->second.end <= address) return next;
  const auto second = segments.emplace_hint(next, address, across->second);
  across->second.end = address;
  return second;
}

void ShadowMap::lose(Allocation& allocation, const Segment& segment, std::uint64_t bytes, End end,
                     const Event& cause) {
  const TransferPtr& writer = segment.writer;
  if (writer == nullptr) return;
  if (bytes < writer->live_bytes) {
    writer->live_bytes -= bytes;
    return;
  }
  writer->live_bytes = 0;
  writer->end = end;
  if (allocation.written > writer->time) writer->changed = true;
  if (writer->changed || all_touched_ > writer->time) writer->modified = true;
  if (maybe_touched_by_kernel(allocation, writer->time)) writer->maybe_used = true;
  if (end != End::kForgotten) on_end_(writer, cause);
}

void ShadowMap::write(Allocation& allocation, std::uint64_t address, std::uint64_t extent,
                      Time time, const TransferPtr& writer, bool covers, const Event& cause) {
  const std::uint64_t end = address + extent;
  auto at = split_at(allocation, address);
  const auto last = split_at(allocation, end);
  // `at` may have been the segment that the second cut shortened; it is still the first one.
  for (auto segment = at; segment != last; ++segment) {
    Transfer* old = segment->second.writer.get();
    if (old == nullptr) continue;
    if (!covers) old->maybe_used = true;
    if (segment->second.end - segment->first != old->live_bytes) old->changed = true;
  }
  // Ends are told after the new segment stands, so that whoever is told sees the new state.
  Segments gone;
  while (at != last) {
    const auto next = std::next(at);
    gone.insert(allocation.segments.extract(at));
    at = next;
  }
  if (writer != nullptr) writer->live_bytes = extent;
  allocation.segments.emplace_hint(last, address, Segment{end, time, writer});
  for (const auto& [begin, segment] : gone)
    lose(allocation, segment, segment.end - begin, End::kOverwritten, cause);
}

void ShadowMap::write_somewhere(Allocation& allocation, Time time) {
  allocation.touched = allocation.written = time;
}

}  // namespace xfer
