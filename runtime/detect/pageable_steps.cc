#include "detect/pageable_steps.h"

namespace xfer {
namespace {

constexpr std::uint64_t kLeastRounds = 2;

}  // namespace

void PageableSteps::see(const Event& event) {
  if (event.kind == EventKind::kDeviceTime) {
    if (Line* const* const line = times_to_come_.find(event.correlation))
      (*line)->spans.push_back({event.begin_ns, event.end_ns});
    return;
  }
  if (!is_call(event.kind)) return;
  const auto last = last_.find(event.thread);
  if (last != last_.end()) {
    Line& line = *last->second;
    if (is_wait(event)) {
      line.cost.host_ns += duration_ns(event);
      line.cost.saving_ns += duration_ns(event);
      if (!line.copies.empty()) line.copies.back().ns += duration_ns(event);
    }
    last_.erase(last);
  }
  const bool is_work = event.kind == EventKind::kLaunch || event.kind == EventKind::kCopy ||
                       event.kind == EventKind::kSet;
  if (!is_work) return;
  ++work_;
  // The line's own copies, of whatever size, are no other work.
  if (const auto own = lines_.find(event.site);
      own != lines_.end() && event.kind == EventKind::kCopy)
    ++own->second.work;
}

bool PageableSteps::upload(const CopyView& copy) {
  const Transfer& transfer = *copy.transfer;
  const Event& event = transfer.event;
  if (!transfer.is_upload() || (event.flags & kAsync) == 0 || event.site == 0 ||
      event.source_space != Space::kPageable || event.bytes < kLargeCopy ||
      transfer.charged != nullptr || kept_ == kMostLosses)
    return false;
  ++kept_;
  Line& line = lines_[event.site];
  if (line.cost.count != 0 && work_ > line.work) ++line.rounds;
  line.work = work_;
  line.sizes.add(event.bytes);
  line.last = event;
  const std::uint64_t ns = duration_ns(event);
  line.cost += {1, event.bytes, ns, 0, ns};
  line.copies.push_back({event.begin_ns, ns});
  last_[event.thread] = &line;
  times_to_come_.put(event.correlation, &line);
  return false;
}

void PageableSteps::forget() {
  last_.clear();
  times_to_come_.clear();
}

void PageableSteps::finish() {
  for (const auto& [site, line] : lines_) judge(line);
}

bool PageableSteps::leaves_the_device_idle(const Line& line) const {
  std::uint64_t copying = 0;
  std::uint64_t working = 0;
  for (const Span& span : line.spans) {
    copying += span.length();
    working += scene_.work.within(line.last.device, span);
  }
  return working * 2 < copying;
}

void PageableSteps::judge(const Line& line) {
  if (line.rounds < kLeastRounds || !leaves_the_device_idle(line)) return;
  const Span calls{line.copies.front().at_ns, line.copies.back().at_ns};
  const std::uint64_t after_first = line.cost.host_ns - line.copies.front().ns;
  if (after_first * 100 < calls.length() * scene_.options.least_pageable_percent ||
      after_first * 100 < scene_.in_use_ns())
    return;
  FindingGroup* const group =
      scene_.groups.charge(Rule::kPageableAsync, Confidence::kLookAlike, Reason::kBlocksEachStep,
                           line.last, line.cost, 0);
  group->add(line.sizes);
  group->finding.step += scene_.steps.share(line.copies, calls, line.copies.size());
}

}  // namespace xfer
