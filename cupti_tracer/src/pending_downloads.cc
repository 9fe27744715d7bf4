#include "pending_downloads.h"

namespace xfer::tracer {
namespace {

constexpr std::size_t kMaxRecorded = 65536;

bool is_on(const Event& copy, std::int16_t device, std::uint64_t stream, std::uint32_t thread) {
  if (copy.stream != stream) return false;
  if (stream == 0) return copy.source_device == device;
  if (stream == kThreadStream) return copy.source_device == device && copy.thread == thread;
  return true;
}

}  // namespace

std::uint64_t extent(const Transfer& transfer, const CopySide& side) {
  if (transfer.bytes() == 0) return 0;
  const std::uint64_t pitch = side.pitch != 0 ? side.pitch : transfer.width;
  const std::uint64_t slice = side.slice_pitch != 0 ? side.slice_pitch : pitch * transfer.rows;
  return slice * (transfer.slices - 1) + pitch * (transfer.rows - 1) + transfer.width;
}

template <typename Covered>
std::vector<Download> PendingDownloads::take_if(Covered covered) {
  std::vector<Download> taken;
  std::deque<Entry> kept;
  for (Entry& entry : entries_) {
    if (covered(entry))
      taken.push_back(entry.download);
    else
      kept.push_back(entry);
  }
  if (!taken.empty()) entries_.swap(kept);
  return taken;
}

void PendingDownloads::add(const Download& download) {
  const std::uint64_t begin = download.event.address;
  drop_range(begin, begin + extent(download.transfer, download.transfer.destination));
  const std::lock_guard lock(mutex_);
  entries_.push_back({download, ++order_});
  if (entries_.size() > limit_) entries_.pop_front();
}

void PendingDownloads::record_event(const Event& event) {
  const std::lock_guard lock(mutex_);
  if (recorded_.size() > kMaxRecorded) recorded_.clear();  // a program that never reuses an event
  recorded_[event.event_id] = {event.device, event.stream, event.thread, order_};
}

std::vector<Download> PendingDownloads::take_device(std::int16_t device) {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return {};
  return take_if([&](const Entry& entry) { return entry.download.event.source_device == device; });
}

std::vector<Download> PendingDownloads::take_stream(std::int16_t device, std::uint64_t stream,
                                                    std::uint32_t thread) {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return {};
  return take_if(
      [&](const Entry& entry) { return is_on(entry.download.event, device, stream, thread); });
}

std::vector<Download> PendingDownloads::take_event(std::uint64_t event_id) {
  const std::lock_guard lock(mutex_);
  const auto found = recorded_.find(event_id);
  if (entries_.empty() || found == recorded_.end()) return {};
  const Recorded at = found->second;
  return take_if([&](const Entry& entry) {
    return entry.order <= at.order && is_on(entry.download.event, at.device, at.stream, at.thread);
  });
}

void PendingDownloads::drop_range(std::uint64_t begin, std::uint64_t end) {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return;
  take_if([&](const Entry& entry) {
    const Download& d = entry.download;
    return d.event.address < end &&
           begin < d.event.address + extent(d.transfer, d.transfer.destination);
  });
}

void PendingDownloads::drop_all() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

}  // namespace xfer::tracer
