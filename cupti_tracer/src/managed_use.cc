#include "managed_use.h"

#include <algorithm>

namespace xfer::tracer {

bool ManagedUse::is_touched(const Launch& launch) const {
  return std::any_of(launch.blocks.begin(), launch.blocks.end(),
                     [&](const Block& block) { return use_.touched(block.address, block.bytes); });
}

void ManagedUse::launch_begins() {
  if (!use_.touched) return;
  const std::lock_guard lock(mutex_);
  std::erase_if(launches_, [&](const Launch& launch) { return is_touched(launch); });
}

void ManagedUse::launched(const Event& launch, std::vector<Block> blocks) {
  if (!use_.touched) return;
  const std::lock_guard lock(mutex_);
  if (!blocks.empty()) {
    if (launches_.size() == kMost) launches_.pop_front();
    launches_.push_back({launch, std::move(blocks)});
  }
  for (const Launch& its : launches_)
    for (const Block& block : its.blocks) use_.clear(block.address, block.bytes);
}

void ManagedUse::forget() {
  const std::lock_guard lock(mutex_);
  launches_.clear();
}

std::vector<Event> ManagedUse::so_far() {
  std::vector<Event> unseen;
  if (!use_.touched) return unseen;
  const std::lock_guard lock(mutex_);
  std::erase_if(launches_, [&](Launch& launch) {
    if (is_touched(launch)) return true;
    unseen.push_back(told_of(launch.event, EventKind::kUnseen));
    return ++launch.asked >= kMostAsked;
  });
  return unseen;
}

}  // namespace xfer::tracer
