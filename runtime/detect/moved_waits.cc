#include "detect/moved_waits.h"

#include <algorithm>
#include <limits>

namespace xfer {

void MovedWaits::next_wait(const Event& call) {
  const auto last = last_.find(call.thread);
  if (last == last_.end()) return;
  const std::uint64_t end = last->second.end_ns;
  settle(last->second, call.begin_ns > end ? call.begin_ns - end : 0);
}

void MovedWaits::waited(const TransferPtr& copy, std::uint64_t wait_ns) {
  const std::uint64_t all = copy->host_ns();
  const std::uint64_t wait = std::min(wait_ns, all);
  last_[copy->event.thread] = {copy, nullptr, copy->event.end_ns, wait, all - wait};
}

void MovedWaits::waited(const Event& call, FindingGroup& group) {
  last_[call.thread] = {nullptr, &group, call.end_ns, duration_ns(call), 0};
}

void MovedWaits::finish() {
  for (auto& [thread, waited] : last_) settle(waited, std::numeric_limits<std::uint64_t>::max());
}

void MovedWaits::settle(Waited& waited, std::uint64_t gap_ns) {
  const std::uint64_t saving = waited.rest_ns + std::min(waited.wait_ns, gap_ns);
  if (waited.copy != nullptr) waited.copy->gap_ns = gap_ns;
  if (waited.copy != nullptr) groups_.saving(*waited.copy, saving);
  if (waited.group != nullptr) waited.group->finding.cost.saving_ns += saving;
  waited.copy = nullptr;
  waited.group = nullptr;
}

}  // namespace xfer
