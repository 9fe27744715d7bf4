#include "detect/alloc_in_loop.h"

namespace xfer {

std::size_t AllocInLoop::KeyHash::operator()(const Key& key) const {
  std::uint64_t mixed = (key.bytes + key.thread) * 0x9e3779b97f4a7c15ull;
  mixed ^=
      (std::uint64_t{key.site} << 24 | std::uint64_t{static_cast<std::uint16_t>(key.device)} << 8 |
       static_cast<std::uint8_t>(key.space)) *
      0xc2b2ae3d27d4eb4full;
  return mixed ^ mixed >> 29;
}

void AllocInLoop::see(const Event& event) {
  if ((event.flags & (kAsync | kSuballocation)) != 0) return;
  if (event.kind == EventKind::kAlloc) allocated(event);
  if (event.kind == EventKind::kFree) freed(event);
}

void AllocInLoop::allocated(const Event& event) {
  const Key key{event.site, event.thread, event.device, event.space, event.bytes};
  live_.insert_or_assign(event.address, key);
  const auto before = freed_.find(key);
  if (before == freed_.end() || before->second.buffers == 0) return;
  Freed& freed = before->second;
  const std::uint64_t free_ns = freed.host_ns / freed.buffers;
  --freed.buffers;
  freed.host_ns -= free_ns;
  const std::uint64_t ns = duration_ns(event) + free_ns;
  const Reason reason =
      event.space == Space::kDevice ? Reason::kSameSizeAgain : Reason::kHostSizeAgain;
  scene_.groups.charge(Rule::kAllocInLoop, Confidence::kProven, reason, event,
                       {1, event.bytes, ns, 0, ns}, freed.site);
}

void AllocInLoop::freed(const Event& event) {
  const auto live = live_.find(event.address);
  if (live == live_.end()) return;
  Freed& freed = freed_[live->second];
  ++freed.buffers;
  freed.host_ns += duration_ns(event);
  freed.site = event.site;
  live_.erase(live);
}

void AllocInLoop::forget() {
  live_.clear();
  freed_.clear();
}

}  // namespace xfer
