#include "detect/slow_copy.h"

#include <algorithm>
#include <cmath>

namespace xfer {
namespace {

constexpr std::uint64_t kSmallPiece = 64 << 10;
constexpr double kSlow = 3;
constexpr std::uint64_t kLeastCopies = 2;

}  // namespace

bool SlowCopy::upload(const CopyView& copy) {
  if (copy.transfer->is_upload())
    times_to_come_.put(copy.transfer->event.correlation, copy.transfer);
  return false;
}

void SlowCopy::download(const CopyView& copy) {
  times_to_come_.put(copy.transfer->event.correlation, copy.transfer);
}

void SlowCopy::see(const Event& event) {
  if (event.kind != EventKind::kDeviceTime) return;
  const TransferPtr* const found = times_to_come_.find(event.correlation);
  const Span span{event.begin_ns, event.end_ns};
  if (found == nullptr || span.length() == 0) return;
  Timed copy{*found, span};
  const Transfer& transfer = *copy.transfer;
  const Link link{transfer.device(), transfer.is_upload()};
  Timed& last = last_[link];
  if (last.transfer != nullptr) {
    copy.shares = span.begin_ns < last.span.end_ns;
    last.shares |= copy.shares;
    settle(link, last);
  }
  last = std::move(copy);
}

void SlowCopy::settle(const Link& link, const Timed& copy) {
  const Event& event = copy.transfer->event;
  if (copy.shares) return;
  const double rate = static_cast<double>(event.bytes) / static_cast<double>(copy.span.length());
  if (event.bytes >= kLargeCopy) best_[link] = std::max(best_[link], rate);
  if (event.site == 0 || copy.transfer->charged != nullptr) return;
  Line& line = lines_[link][{event.site, copy.transfer->host_space(), event.bytes >= kLargeCopy}];
  if (kept_ != kMostLosses) {
    ++kept_;
    line.copies.push_back({event.begin_ns, event.bytes, copy.span.length()});
  }
  line.last = event;
  line.sizes.add(event.bytes);
  line.cost += {1, event.bytes, duration_ns(event), copy.span.length(), 0};
}

void SlowCopy::finish() {
  for (const auto& [link, copy] : last_)
    if (copy.transfer != nullptr) settle(link, copy);
  for (const auto& [link, lines] : lines_)
    for (const auto& [key, line] : lines) judge(link, line);
}

void SlowCopy::judge(const Link& link, const Line& line) {
  const auto best = best_.find(link);
  if (best == best_.end() || line.cost.count < kLeastCopies) return;
  const auto took = static_cast<double>(line.cost.device_ns);
  const double could = static_cast<double>(line.cost.bytes) / best->second;
  if (took < could * kSlow) return;
  const auto lost = static_cast<std::uint64_t>(took - could);
  const std::uint64_t run = scene_.run.length();
  if (lost * 100 < run * scene_.options.least_slow_percent) return;
  const Space memory = link.up ? line.last.source_space : line.last.space;
  const Reason reason = line.cost.bytes < line.cost.count * kSmallPiece ? Reason::kSlowPieces
                        : memory == Space::kPageable                    ? Reason::kSlowPageable
                                                                        : Reason::kSlowLink;
  Cost cost = line.cost;
  cost.saving_ns = lost;
  FindingGroup* const group =
      scene_.groups.charge(Rule::kSlowCopy, Confidence::kLookAlike, reason, line.last, cost, 0);
  group->add(line.sizes);
  group->finding.step += step_share(line, best->second);
}

StepShare SlowCopy::step_share(const Line& line, double best) const {
  std::vector<Loss> losses;
  Span calls{UINT64_MAX, 0};
  for (const Took& copy : line.copies) {
    const auto could =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(copy.bytes) / best));
    losses.push_back({copy.at_ns, copy.ns - std::min(copy.ns, could)});
    calls.begin_ns = std::min(calls.begin_ns, copy.at_ns);
    calls.end_ns = std::max(calls.end_ns, copy.at_ns);
  }
  return scene_.steps.share(losses, calls, losses.size());
}

}  // namespace xfer
