#include "in_flight.h"

#include <algorithm>

#include "order/host_lesson.h"

namespace xfer::tracer {
namespace {

constexpr std::size_t kMostOpaque = 64;

/// The kernel may tell the host something by it.
bool is_visible(const Event& argument) {
  return argument.space != Space::kDevice && (argument.flags & kPlain) == 0;
}

bool is_graph(const Event& event) { return event.kind == EventKind::kLaunch && event.name == 0; }

/// The host side of a copy: one where the slices lie without gaps, or one for each of the first.
std::vector<WatchedBytes> host_side(std::uint64_t id, const CopyCall& transfer, bool to_host) {
  constexpr std::uint64_t kMostSlices = 64;
  const CopySide& side = to_host ? transfer.destination : transfer.source;
  WatchedBytes bytes;
  bytes.id = id;
  bytes.begin = side.address;
  bytes.width = transfer.width;
  bytes.pitch = side.pitch != 0 && transfer.rows > 1 ? side.pitch : transfer.width;
  bytes.rows = transfer.rows;
  bytes.device_writes = to_host;
  const std::uint64_t slice = bytes.pitch * bytes.rows;
  if (transfer.slices == 1 || side.slice_pitch == 0 || side.slice_pitch == slice) {
    bytes.rows *= transfer.slices;
    return {bytes};
  }
  std::vector<WatchedBytes> slices;
  for (std::uint64_t i = 0; i < std::min(transfer.slices, kMostSlices); ++i) {
    slices.push_back(bytes);
    bytes.begin += side.slice_pitch;
  }
  return slices;
}

/// It is memory of a device, or an array, which a copy to or from host memory does not wait for.
bool is_on_device(Space space, std::int16_t device) {
  return space == Space::kDevice || space == Space::kManaged ||
         (space == Space::kUnknown && device >= 0);
}

/// Sides of an asynchronous copy that the host may touch before it is over.
bool writes_to_host(const Event& copy) {
  if (copy.space == Space::kManaged) return copy.source_space != Space::kPageable;
  return copy.space == Space::kPinned && is_on_device(copy.source_space, copy.source_device);
}
bool reads_from_host(const Event& copy) {
  if ((copy.flags & kTakesSource) != 0) return false;
  if (copy.source_space == Space::kManaged) return copy.space != Space::kPageable;
  return copy.source_space == Space::kPinned && is_on_device(copy.space, copy.device);
}

/// That a kernel touched.
WatchedBytes bytes_of(std::uint64_t id, const Event& argument) {
  WatchedBytes bytes;
  bytes.id = id;
  bytes.begin = argument.address;
  bytes.width = bytes.pitch = argument.bytes;
  bytes.device_writes = (argument.flags & kWrites) != 0;
  if ((argument.flags & kStrided) == 0) return bytes;
  bytes.pitch = argument.pitch;
  bytes.rows = (argument.extent - 1) / argument.pitch + 1;
  bytes.width = argument.bytes / bytes.rows;
  return bytes;
}

}  // namespace

InFlight::News InFlight::see(const Event& event, const Details& details) {
  News news;
  if ((!watch_.watch && !read_) || (event.flags & (kCaptured | kFailed)) != 0 ||
      says_nothing(event, details))
    return news;
  const std::lock_guard lock(mutex_);
  ++now_;
  order(event, details);
  if (!details.is_plain_graph) learn(event, details.arguments, &news);
  if (event.kind == EventKind::kCopy && details.transfer != nullptr)
    add_copy(event, *details.transfer, details.awaits_content);
  if (event.kind == EventKind::kSet && details.transfer != nullptr &&
      is_reached_by_both(event.space) && (event.flags & kAsync) != 0)
    add(use_of(event, *details.transfer, true), *details.transfer);
  if (event.kind == EventKind::kLaunch) add_kernel(event, details.arguments);
  for (const GraphSide& side : details.sides) add_side(event, side);
  if (watch_.watch)
    any_.store(std::any_of(uses_.begin(), uses_.end(), [](const Use& use) { return use.watched; }),
               std::memory_order_relaxed);
  empty_.store(uses_.empty() && opaque_.empty(), std::memory_order_relaxed);
  return news;
}

bool InFlight::says_nothing(const Event& event, const Details& details) const {
  if (!empty_.load(std::memory_order_relaxed) || !details.sides.empty()) return false;
  switch (event.kind) {
    case EventKind::kSync:
    case EventKind::kAlloc:
    case EventKind::kFree: return true;
    case EventKind::kSet: return !is_reached_by_both(event.space);
    case EventKind::kLaunch:
      return !is_graph(event) &&
             std::none_of(details.arguments.begin(), details.arguments.end(),
                          [](const Event& argument) { return argument.space != Space::kDevice; });
    default: return false;
  }
}

void InFlight::order(const Event& event, const Details& details) {
  switch (event.kind) {
    case EventKind::kCopy:
    case EventKind::kSet:
    case EventKind::kLaunch:
    case EventKind::kHostFunction: {
      const Work work{order_.run(event, now_), now_};
      const bool is_opaque =
          event.kind == EventKind::kHostFunction || (is_graph(event) && !details.is_plain_graph);
      if (!is_opaque) break;
      if (opaque_.size() == kMostOpaque) opaque_.erase(opaque_.begin());
      opaque_.push_back(work);
      break;
    }
    case EventKind::kSync: order_.sync(event, now_); break;
    case EventKind::kStreamCreate: order_.create(event); break;
    case EventKind::kStreamDestroy: order_.destroy(event); break;
    case EventKind::kEventRecord: order_.record(event, now_); break;
    case EventKind::kStreamWait: order_.wait(event, now_); break;
    default: break;
  }
}

void InFlight::learn(const Event& event, std::span<const Event> arguments, News* news) {
  if (uses_.empty() && opaque_.empty()) return;
  const bool visible = std::any_of(arguments.begin(), arguments.end(), is_visible);
  const HostLesson lesson(event, order_, visible);
  if (lesson.is_empty()) return;
  const bool is_call = event.kind != EventKind::kLaunch && event.kind != EventKind::kHostFunction;
  // It may write where the host can look, for all that is known.
  const bool is_unknown =
      event.kind == EventKind::kLaunch && !visible && (event.flags & kMayTouchAll) != 0;
  std::erase_if(uses_, [&](Use& use) {
    if (!lesson.covers(use.work, order_)) return false;
    if (use.watched) watch_.release(use.id);
    use.watched = false;
    if (is_unknown && use.source) return !(use.source->unsure = true);
    if (is_call && use.source)
      if (const auto event_of = compared(use)) news->changed.push_back(*event_of);
    if (!use.download) return true;
    if (!is_over(event, use.work)) return false;
    news->arrived.push_back(*use.download);
    return true;
  });
  if (is_call)
    std::erase_if(opaque_, [&](const Work& work) { return lesson.covers(work, order_); });
}

bool InFlight::is_over(const Event& event, const Work& work) {
  if (event.kind == EventKind::kSync) return order_.host_knows(work);
  return event.kind == EventKind::kCopy && (event.flags & kAsync) == 0 && is_host(event.space) &&
         order_.done_before(work, order_.stream_of(event));
}

std::optional<Event> InFlight::compared(const Use& use) const {
  const auto holds = read_(use.source->transfer);
  if (!holds || *holds == use.source->held) return std::nullopt;
  Event event = use.source->call;
  event.kind = EventKind::kSourceChanged;
  event.flags = use.source->unsure ? kMayTouchAll : 0;
  return event;
}

void InFlight::spoil(std::uint64_t begin, std::uint64_t end) {
  if (empty_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  for (Use& use : uses_) {
    if (use.begin >= end || begin >= use.end) continue;
    use.source.reset();
    use.download.reset();
  }
}

bool InFlight::may_write(std::uint64_t begin, std::uint64_t end) {
  if (empty_.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(mutex_);
  return is_written(begin, end);
}

bool InFlight::is_written(std::uint64_t begin, std::uint64_t end) const {
  return !opaque_.empty() || std::any_of(uses_.begin(), uses_.end(), [&](const Use& use) {
    return use.device_writes && use.begin < end && begin < use.end;
  });
}

std::optional<InFlight::Source> InFlight::source_of(const Event& copy, const CopyCall& transfer,
                                                    const ContentHash& held) const {
  const std::uint64_t begin = transfer.source.address;
  if (!read_ || is_written(begin, begin + transfer.extent(transfer.source))) return std::nullopt;
  return Source{transfer, held, copy};
}

void InFlight::add_copy(const Event& copy, const CopyCall& transfer, bool awaits_content) {
  if (copy.bytes == 0 || (copy.flags & kAsync) == 0) return;
  if (reads_from_host(copy)) {
    Use use = use_of(copy, transfer, false);
    if (is_pinned_upload(copy) && (copy.flags & kHashed) != 0)
      use.source = source_of(copy, transfer, {copy.hash_lo, copy.hash_hi});
    add(std::move(use), transfer);
  }
  if (!writes_to_host(copy)) return;
  Use use = use_of(copy, transfer, true);
  if (awaits_content) use.download = Download{copy, transfer};
  add(std::move(use), transfer);
}

void InFlight::add_side(const Event& launch, const GraphSide& side) {
  const CopyCall& transfer = side.transfer;
  Use use = use_of(launch, transfer, side.to_host);
  if (side.held) {
    Event copy = launch;
    copy.space = Space::kDevice;
    copy.source_space = Space::kPinned;
    copy.source_device = -1;
    copy.address = transfer.destination.address;
    copy.source = transfer.source.address;
    copy.bytes = transfer.bytes();
    use.source = source_of(copy, transfer, *side.held);
  }
  add(std::move(use), transfer);
}

InFlight::Use InFlight::use_of(const Event& call, const CopyCall& transfer, bool to_host) {
  const CopySide& side = to_host ? transfer.destination : transfer.source;
  return {call.correlation,
          {order_.stream_of(call), now_},
          side.address,
          side.address + transfer.extent(side),
          to_host};
}

void InFlight::add_kernel(const Event& launch, std::span<const Event> arguments) {
  unsigned count = 0;
  for (const Event& argument : arguments) {
    if ((argument.flags & kPlain) == 0 || argument.space == Space::kDevice) continue;
    if (argument.slice_pitch != 0) continue;  // a graph's copy, whose side is added by itself
    if (++count > kMostOfLaunch) break;
    const WatchedBytes bytes = bytes_of(launch.correlation, argument);
    add({bytes.id,
         {order_.stream_of(launch), now_},
         bytes.begin,
         bytes.begin + bytes.extent(),
         bytes.device_writes},
        {&bytes, 1});
  }
}

void InFlight::add(Use use, const CopyCall& transfer) {
  std::vector<WatchedBytes> parts;
  if (watch_.watch) parts = host_side(use.id, transfer, use.device_writes);
  add(std::move(use), parts);
}

void InFlight::add(Use use, std::span<const WatchedBytes> parts) {
  const bool is_ordered = order_.is_known(use.work.stream);
  if (!is_ordered) use.source.reset();
  if (!is_ordered && !use.download) return;
  if (uses_.size() == kMost) {
    if (uses_.front().watched) watch_.release(uses_.front().id);
    uses_.pop_front();
  }
  if (is_ordered && watch_.watch)
    for (const WatchedBytes& part : parts) use.watched |= watch_.watch(part);
  if (use.watched || use.source || use.device_writes) uses_.push_back(std::move(use));
}

}  // namespace xfer::tracer
