#include "detect/finding_groups.h"

#include <algorithm>

namespace xfer {
namespace {

// Without call stacks, the place written to stands for the call.
std::uint64_t site_key(const Event& event) {
  return event.site != 0 ? event.site : event.address | std::uint64_t{1} << 63;
}

// Nothing ran on the device between a copy and its free. Freed by the statement that made it, the
// copy was thrown away; freed later, the program may have ended before it came to use it.
bool may_be_thrown_away(const EngineFinding& finding) {
  return finding.reason == Reason::kFreed && finding.confidence == Confidence::kLookAlike;
}

bool depends_on_content(Reason reason) { return reason < Reason::kOverwritten; }

/// Into other memory, which has not changed since or is freed.
bool is_sent_elsewhere(Reason reason) {
  return reason == Reason::kFreedUnchanged || reason == Reason::kHeldElsewhere;
}

constexpr std::size_t kMostBuffers = 4;

void add_buffer(EngineFinding& finding, std::uint32_t name) {
  std::vector<std::uint32_t>& all = finding.buffers;
  if (name != 0 && all.size() < kMostBuffers && std::ranges::find(all, name) == all.end())
    all.push_back(name);
}

}  // namespace

void FindingGroup::add(const Sizes& sizes) {
  finding.smallest_bytes = std::min(finding.smallest_bytes, sizes.smallest);
  finding.largest_bytes = std::max(finding.largest_bytes, sizes.largest);
}

void add(EngineFinding& sum, const EngineFinding& found) {
  sum.cost += found.cost;
  sum.step += found.step;
  sum.copies_at_site += found.copies_at_site;
  sum.smallest_bytes = std::min(sum.smallest_bytes, found.smallest_bytes);
  sum.largest_bytes = std::max(sum.largest_bytes, found.largest_bytes);
  for (const std::uint32_t name : found.buffers) add_buffer(sum, name);
}

std::size_t FindingGroups::KeyHash::operator()(const Key& key) const {
  std::uint64_t mixed = key.site * 0x9e3779b97f4a7c15ull;
  mixed ^= (std::uint64_t{key.what} << 32 | key.devices) * 0xc2b2ae3d27d4eb4full + key.ended_at;
  return (mixed ^ mixed >> 31) + (key.outside ? 1 : 0);
}

void FindingGroups::count_copy(const Transfer& transfer, bool renews) {
  Site& site = sites_[site_key(transfer.event)];
  if (options_.window.holds(transfer.event)) {
    ++site.copies;
    site.bytes += transfer.event.bytes;
  }
  if (renews) ++site.renewals;
}

void FindingGroups::note_renewal(const Transfer& transfer) {
  ++sites_[site_key(transfer.event)].renewals;
}

FindingGroup& FindingGroups::group_of(Rule rule, Confidence confidence, Reason reason,
                                      const Event& event, std::uint32_t other_site,
                                      EarlyWork early) {
  // Where an advice depends on what ended the copy, each such place is a group.
  const std::uint32_t ended_at =
      reason == Reason::kFreed && confidence == Confidence::kLookAlike ? other_site : 0;
  // Results that nobody looks at are one finding, from whatever devices they come.
  const std::int16_t source_device =
      reason == Reason::kNobodyLooked ? std::int16_t{-1} : event.source_device;
  const Key key{site_key(event), ended_at,
                static_cast<std::uint32_t>(early) << 30 | static_cast<std::uint32_t>(rule) << 16 |
                    static_cast<std::uint32_t>(confidence) << 8 |
                    static_cast<std::uint32_t>(reason),
                std::uint32_t{static_cast<std::uint16_t>(event.device)} << 16 |
                    static_cast<std::uint16_t>(source_device),
                !options_.window.holds(event)};
  FindingGroup*& group = by_key_[key];
  if (group == nullptr) {
    group = &groups_.emplace_back();
    group->site_key = key.site;
    group->outside = key.outside;
    EngineFinding& finding = group->finding;
    finding.rule = rule;
    finding.confidence = confidence;
    finding.reason = reason;
    finding.early = early;
    finding.device = event.device;
    finding.source_device = event.source_device;
    finding.site = event.site;
    finding.other_site = other_site;
    finding.first_ns = event.begin_ns;
    finding.smallest_bytes = event.bytes;
  }
  if (event.kind == EventKind::kCopy) add_buffer(group->finding, event.name);
  group->finding.smallest_bytes = std::min(group->finding.smallest_bytes, event.bytes);
  group->finding.largest_bytes = std::max(group->finding.largest_bytes, event.bytes);
  return *group;
}

FindingGroup* FindingGroups::charge(Rule rule, Confidence confidence, Reason reason,
                                    Transfer& transfer, std::uint32_t other_site) {
  FindingGroup& group = group_of(rule, confidence, reason, transfer.event, other_site);
  ++group.finding.cost.count;
  group.varying += transfer.varies ? 1 : 0;
  add_cost(group, transfer);
  return &group;
}

FindingGroup* FindingGroups::charge(Rule rule, Confidence confidence, Reason reason,
                                    const Event& call, const Cost& cost, std::uint32_t other_site,
                                    EarlyWork early) {
  FindingGroup& group = group_of(rule, confidence, reason, call, other_site, early);
  group.finding.cost += cost;
  return &group;
}

void FindingGroups::add_cost(FindingGroup& group, Transfer& transfer) {
  group.finding.cost.bytes += transfer.event.bytes;
  group.finding.cost.host_ns += transfer.host_ns();
  group.finding.cost.device_ns += transfer.device_ns;
  group.finding.cost.saving_ns += transfer.saving_ns;
  transfer.charged = &group;
}

void FindingGroups::saving(Transfer& transfer, std::uint64_t saving_ns) {
  transfer.saving_ns += saving_ns;
  if (transfer.charged != nullptr) transfer.charged->finding.cost.saving_ns += saving_ns;
}

void FindingGroups::device_time(Transfer& transfer, std::uint64_t device_ns) {
  transfer.device_ns += device_ns;
  if (transfer.charged != nullptr) transfer.charged->finding.cost.device_ns += device_ns;
}

bool FindingGroups::is_chance(const FindingGroup& group) const {
  if (!depends_on_content(group.finding.reason)) return false;
  const auto found = sites_.find(group.site_key);
  if (found == sites_.end()) return false;
  const bool was_freed = group.finding.reason == Reason::kFreedUnchanged;
  if (is_sent_elsewhere(group.finding.reason) && group.finding.largest_bytes < options_.few_bytes &&
      ((was_freed && group.finding.cost.count < 2) ||
       group.finding.cost.count * 2 < found->second.copies))
    return true;
  if (varies(group) && sent_elsewhere(group.site_key) * 5 < found->second.copies * 4) return true;
  if (group.finding.largest_bytes <= options_.small_bytes) return found->second.renewals != 0;
  const auto few_of = [&](std::uint64_t part, std::uint64_t all) {
    return part * 100 < all * options_.least_percent;
  };
  return few_of(group.finding.cost.count, found->second.copies) &&
         few_of(group.finding.cost.bytes, found->second.bytes);
}

std::uint64_t FindingGroups::sent_elsewhere(std::uint64_t site_key) const {
  std::uint64_t count = 0;
  for (const FindingGroup& group : groups_)
    if (group.site_key == site_key && is_sent_elsewhere(group.finding.reason))
      count += group.finding.cost.count;
  return count;
}

bool FindingGroups::varies(const FindingGroup& group) const {
  return group.varying != 0 && is_sent_elsewhere(group.finding.reason) &&
         group.finding.largest_bytes <= options_.many_bytes;
}

bool FindingGroups::is_rare(const FindingGroup& group) const {
  const Cost& cost = group.finding.cost;
  if (cost.count < info(group.finding.reason).least) return true;
  switch (group.finding.reason) {
    case Reason::kDownloadedBefore:
    case Reason::kDownloadedElsewhere:
      return group.finding.largest_bytes <= options_.small_bytes &&
             cost.count < options_.least_small_again;
    case Reason::kFreeWaits:
      return cost.host_ns < cost.count * options_.least_hidden_wait_ns ||
             (group.unplaced && cost.count < options_.least_unplaced_frees);
    case Reason::kUploadWaits: return cost.saving_ns < cost.count * options_.least_hidden_wait_ns;
    case Reason::kEachRound:
      return cost.count < options_.least_reallocated ||
             cost.host_ns < cost.count * options_.least_hidden_wait_ns;
    case Reason::kSameSizeAgain:
    case Reason::kHostSizeAgain: return cost.count < options_.least_reallocated;
    default: return false;
  }
}

bool FindingGroups::rides_along(const FindingGroup& group) const {
  const EngineFinding& finding = group.finding;
  const auto found = sites_.find(group.site_key);
  if (finding.rule != Rule::kUnusedTransfer || found == sites_.end()) return false;
  if (finding.largest_bytes > options_.small_bytes && finding.reason != Reason::kTooLate)
    return false;
  return finding.cost.count < found->second.copies;
}

// Some copies of a line's constant are known to repeat by more than their content: one finding.
void FindingGroups::join_constants() {
  for (FindingGroup& constants : groups_) {
    if (constants.finding.reason != Reason::kConstantAgain) continue;
    const auto better = std::find_if(groups_.begin(), groups_.end(), [&](const FindingGroup& its) {
      return its.finding.rule == constants.finding.rule && &its != &constants &&
             its.site_key == constants.site_key && its.outside == constants.outside &&
             its.finding.device == constants.finding.device;
    });
    if (better == groups_.end()) continue;
    add(better->finding, constants.finding);
    constants.finding.cost = {};
  }
}

// Of a line's bursts of small copies, those in order are seen twice: what covers more is told of.
void FindingGroups::join_bursts() {
  for (FindingGroup& bursts : groups_) {
    if (bursts.finding.reason != Reason::kStackedFirst) continue;
    for (FindingGroup& rows : groups_) {
      if (rows.finding.rule != Rule::kSmallCopies || &rows == &bursts ||
          rows.site_key != bursts.site_key || rows.finding.device != bursts.finding.device)
        continue;
      const bool covers = rows.finding.cost.count * 2 >= bursts.finding.cost.count;
      (covers ? bursts : rows).finding.cost = {};
    }
  }
}

// A line that reads element by element waits for each, the first of which has work to wait for.
void FindingGroups::join_elements() {
  for (const FindingGroup& elements : groups_) {
    if (elements.finding.reason != Reason::kElementByElement || is_rare(elements)) continue;
    for (FindingGroup& reads : groups_)
      if (reads.finding.reason == Reason::kReadBackEachStep && reads.site_key == elements.site_key)
        reads.finding.cost = {};
  }
}

// Uploads that another rule, or another reason of theirs, says more about are told of as these.
void FindingGroups::join_uploads() {
  for (FindingGroup& blocking : groups_) {
    if (blocking.finding.reason != Reason::kBlocksEachStep) continue;
    const bool is_known = std::any_of(groups_.begin(), groups_.end(), [&](const auto& its) {
      return its.site_key == blocking.site_key &&
             (its.finding.rule == Rule::kExposedCopy || its.finding.rule == Rule::kSlowCopy ||
              (its.finding.rule == Rule::kPageableAsync && &its != &blocking));
    });
    if (is_known) blocking.finding.cost = {};
  }
}

bool FindingGroups::may_be_timing(const FindingGroup& group, std::uint64_t in_use_ns) const {
  const EngineFinding& found = group.finding;
  return !options_.by_xfertrace && found.rule == Rule::kNeedlessSync &&
         (found.cost.count < options_.least_in_a_row ||
          found.cost.saving_ns * 100 < in_use_ns * options_.least_unclocked_percent);
}

bool FindingGroups::is_cheap(const FindingGroup& group, std::uint64_t in_use_ns) const {
  const Cost& cost = group.finding.cost;
  const Rule rule = group.finding.rule;
  const bool by_saving = rule == Rule::kHiddenSync || rule == Rule::kNeedlessSync ||
                         rule == Rule::kExposedCopy || rule == Rule::kSlowCopy;
  const std::uint64_t worth = by_saving ? cost.saving_ns : cost.host_ns;
  return !options_.by_xfertrace && (worth < options_.least_worth_ns ||
                                    (worth < options_.surely_worth_ns &&
                                     worth * 1000 < in_use_ns * options_.least_worth_permille));
}

std::vector<EngineFinding> FindingGroups::finish(std::uint64_t in_use_ns) {
  join_constants();
  join_bursts();
  join_elements();
  join_uploads();
  std::vector<EngineFinding> findings;
  for (FindingGroup& group : groups_) {
    if (group.outside || is_rare(group) || is_chance(group) || rides_along(group) ||
        may_be_timing(group, in_use_ns) || is_cheap(group, in_use_ns))
      continue;
    if (const auto found = sites_.find(group.site_key); found != sites_.end()) {
      group.finding.copies_at_site = found->second.copies;
      group.finding.renews = found->second.renewals != 0;
    }
    if (varies(group)) group.finding.confidence = Confidence::kLookAlike;
    if (may_be_thrown_away(group.finding) && options_.same_statement) {
      if (!options_.same_statement(group.finding.site, group.finding.other_site)) continue;
      group.finding.confidence = Confidence::kProven;
    }
    findings.push_back(group.finding);
  }
  std::stable_sort(
      findings.begin(), findings.end(),
      [](const EngineFinding& a, const EngineFinding& b) { return costs_more(a.cost, b.cost); });
  return findings;
}

}  // namespace xfer
