#include "pending_downloads.h"

namespace xfer::tracer {

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

std::vector<Download> PendingDownloads::add(const Download& download) {
  const std::uint64_t begin = download.event.address;
  const std::uint64_t end = begin + extent(download.transfer, download.transfer.destination);
  std::vector<Download> lost = take_range(begin, end);
  const std::lock_guard lock(mutex_);
  entries_.push_back({download, ++order_});
  if (entries_.size() > limit_) {
    lost.push_back(entries_.front().download);
    entries_.pop_front();
  }
  return lost;
}

void PendingDownloads::record_event(std::uint64_t event_id, std::int16_t device,
                                    std::uint64_t stream) {
  const std::lock_guard lock(mutex_);
  if (recorded_.size() > 65536) recorded_.clear();  // programs that never reuse an event
  recorded_[event_id] = {device, stream, order_};
}

std::vector<Download> PendingDownloads::take_device(std::int16_t device) {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return {};
  return take_if([&](const Entry& entry) { return entry.download.event.source_device == device; });
}

std::vector<Download> PendingDownloads::take_stream(std::int16_t device, std::uint64_t stream) {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return {};
  return take_if([&](const Entry& entry) {
    return entry.download.event.stream == stream &&
           (stream != 0 || entry.download.event.source_device == device);
  });
}

std::vector<Download> PendingDownloads::take_event(std::uint64_t event_id) {
  const std::lock_guard lock(mutex_);
  const auto found = recorded_.find(event_id);
  if (entries_.empty() || found == recorded_.end()) return {};
  const Recorded recorded = found->second;
  return take_if([&](const Entry& entry) {
    return entry.order <= recorded.order && entry.download.event.stream == recorded.stream &&
           entry.download.event.source_device == recorded.device;
  });
}

std::vector<Download> PendingDownloads::take_range(std::uint64_t begin, std::uint64_t end) {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return {};
  return take_if([&](const Entry& entry) {
    const Download& d = entry.download;
    return d.event.address < end &&
           begin < d.event.address + extent(d.transfer, d.transfer.destination);
  });
}

std::vector<Download> PendingDownloads::take_all() {
  const std::lock_guard lock(mutex_);
  return take_if([](const Entry&) { return true; });
}

}  // namespace xfer::tracer
