#include "detect/steps.h"

#include <algorithm>

namespace xfer {

void Steps::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kLaunch: ++work_; return;
    case EventKind::kScopeBegin:
      open_[{event.thread, event.event_id}] = {event.name, event.begin_ns, work_};
      return;
    case EventKind::kScopeEnd: return end(event);
    default: return;
  }
}

void Steps::end(const Event& event) {
  const auto found = open_.find({event.thread, event.event_id});
  if (found == open_.end()) return;
  const Open scope = found->second;
  open_.erase(found);
  if (scope.work_before == work_ || kept_ == kMost) return;
  const std::string name = name_of_ ? name_of_(scope.name) : std::to_string(scope.name);
  if (named_.size() == kMostNames && !named_.contains(name)) return;
  named_[name].push_back({scope.begin_ns, event.begin_ns});
  ++kept_;
}

void Steps::settle() {
  for (auto& [name, instances] : named_)
    std::stable_sort(instances.begin(), instances.end(),
                     [](const Span& a, const Span& b) { return a.begin_ns < b.begin_ns; });
}

const Span* Steps::around(const std::vector<Span>& instances, std::uint64_t ns) {
  const auto after =
      std::upper_bound(instances.begin(), instances.end(), ns,
                       [](std::uint64_t at, const Span& span) { return at < span.begin_ns; });
  if (after == instances.begin()) return nullptr;
  const Span& last = *std::prev(after);
  return ns <= last.end_ns ? &last : nullptr;
}

const Steps::Named::value_type* Steps::step_around(std::uint64_t ns) const {
  const Named::value_type* best = nullptr;
  std::uint64_t its_length = 0;
  for (const auto& named : named_) {
    const std::size_t count = named.second.size();
    const Span* const instance = around(named.second, ns);
    if (instance == nullptr || count < kLeastInstances) continue;
    const bool better = best == nullptr || count > best->second.size() ||
                        (count == best->second.size() && instance->length() > its_length);
    if (!better) continue;
    best = &named;
    its_length = instance->length();
  }
  return best;
}

StepShare Steps::share(std::span<const Loss> losses, Span calls_span, std::uint64_t calls) const {
  StepShare share;
  const Named::value_type* step = nullptr;
  for (const Loss& loss : losses)
    if (step = step_around(loss.at_ns); step != nullptr) break;
  if (step == nullptr) {
    if (calls < 2) return share;
    share.count = calls - 1;
    share.ns = calls_span.length();
    for (const Loss& loss : losses)
      if (loss.at_ns > calls_span.begin_ns) share.saving_ns += loss.ns;
    return share;
  }
  share.name = step->first;
  share.count = step->second.size();
  for (const Span& instance : step->second) share.ns += instance.length();
  for (const Loss& loss : losses)
    if (around(step->second, loss.at_ns) != nullptr) share.saving_ns += loss.ns;
  return share;
}

}  // namespace xfer
