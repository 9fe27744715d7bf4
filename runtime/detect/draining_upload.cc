#include "detect/draining_upload.h"

namespace xfer {

void DrainingUpload::see(const Event& event) {
  if (!is_call(event.kind)) return;
  const auto last = last_.find(event.thread);
  if (last == last_.end()) return;
  const Event copy = last->second;
  last_.erase(last);
  if (!waits_for(event, copy.stream) || duration_ns(event) < scene_.options.least_hidden_wait_ns ||
      kept_ == kMostLosses)
    return;
  ++kept_;
  waits_[{copy.site, copy.device}].push_back({copy, {copy.begin_ns, event.end_ns}});
}

bool DrainingUpload::upload(const CopyView& copy) {
  const Event& event = copy.transfer->event;
  if (copy.transfer->is_upload() && (event.flags & kAsync) != 0 && event.site != 0 &&
      event.source_space == Space::kPageable && event.bytes <= scene_.options.staged_bytes)
    last_.insert_or_assign(event.thread, event);
  return false;
}

void DrainingUpload::finish() {
  for (const auto& [line, waits] : waits_) {
    Cost cost;
    std::vector<Loss> losses;
    for (const Wait& wait : waits) {
      const std::uint64_t ns = scene_.work.drained_ns(wait.copy.device, wait.span);
      if (ns == 0) continue;
      cost += {1, wait.copy.bytes, duration_ns(wait.copy) + wait.span.length(), 0, ns};
      losses.push_back({wait.copy.begin_ns, ns});
    }
    if (cost.count < scene_.options.least_in_a_row ||
        cost.saving_ns * 1000 < scene_.in_use_ns() * scene_.options.least_worth_permille)
      continue;
    FindingGroup* const group =
        scene_.groups.charge(Rule::kHiddenSync, Confidence::kLookAlike, Reason::kUploadDrains,
                             waits.back().copy, cost, 0);
    const Span calls{losses.front().at_ns, losses.back().at_ns};
    group->finding.step += scene_.steps.share(losses, calls, losses.size());
  }
}

}  // namespace xfer
