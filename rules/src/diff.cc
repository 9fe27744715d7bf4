#include "xfer/rules/diff.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>

#include "json.h"
#include "ranking.h"
#include "text.h"

namespace xfer {
namespace {

constexpr auto kChanges = {Change::kNew, Change::kWorse, Change::kBetter, Change::kGone};

using Key = std::pair<Rule, std::string>;

std::multimap<Key, const Finding*> by_fingerprint(const Report& report) {
  std::multimap<Key, const Finding*> findings;
  for (const Finding& finding : report.findings)
    findings.emplace(Key{finding.rule, finding.fingerprint}, &finding);
  return findings;
}

std::optional<Change> compared(const Finding& before, const Finding& after) {
  const Cost a = before.cost.value_or(Cost{});
  const Cost b = after.cost.value_or(Cost{});
  if (std::tie(a.count, a.bytes) == std::tie(b.count, b.bytes)) return std::nullopt;
  // The bytes decide where there are any; fewer copies of more bytes are no gain.
  const bool worse = a.bytes != b.bytes ? b.bytes > a.bytes : b.count > a.count;
  return worse ? Change::kWorse : Change::kBetter;
}

const Finding& shown(const FindingChange& change) {
  return change.after ? *change.after : *change.before;
}

std::string cost_of(const std::optional<Finding>& finding) {
  return finding && finding->cost ? describe(*finding->cost) : "not measured";
}

}  // namespace

std::string_view name(Change change) {
  switch (change) {
    case Change::kNew: return "new";
    case Change::kWorse: return "worse";
    case Change::kBetter: return "better";
    case Change::kGone: return "gone";
  }
  return {};
}

bool ReportDiff::is_worse() const {
  return std::any_of(changes.begin(), changes.end(), [](const FindingChange& change) {
    return change.change == Change::kNew || change.change == Change::kWorse;
  });
}

ReportDiff diff(const Report& before, const Report& after) {
  ReportDiff result;
  result.before_stats = before.stats;
  result.after_stats = after.stats;
  auto known = by_fingerprint(before);
  for (const Finding& finding : after.findings) {
    const auto match = known.find(Key{finding.rule, finding.fingerprint});
    if (match == known.end()) {
      result.changes.push_back({Change::kNew, std::nullopt, finding});
      continue;
    }
    if (const auto change = compared(*match->second, finding))
      result.changes.push_back({*change, *match->second, finding});
    else
      ++result.unchanged;
    known.erase(match);
  }
  for (const auto& [key, finding] : known)
    result.changes.push_back({Change::kGone, *finding, std::nullopt});
  std::stable_sort(result.changes.begin(), result.changes.end(),
                   [](const FindingChange& a, const FindingChange& b) {
                     if (a.change != b.change) return a.change < b.change;
                     return costs_more(shown(a), shown(b));
                   });
  return result;
}

void write_text(const ReportDiff& diff, std::ostream& out) {
  std::map<Change, std::size_t> counts;
  for (const FindingChange& change : diff.changes) {
    ++counts[change.change];
    const Finding& finding = shown(change);
    out << name(change.change) << ": " << describe(finding.location) << ": "
        << printable(finding.message) << " [" << info(finding.rule).slug << "]\n";
    if (change.before) out << "  before: " << cost_of(change.before) << '\n';
    if (change.after) out << "  after:  " << cost_of(change.after) << '\n';
  }
  for (const Change change : kChanges) out << counts[change] << ' ' << name(change) << ", ";
  out << diff.unchanged << " unchanged\n";
}

nlohmann::ordered_json diff_to_json(const ReportDiff& diff) {
  nlohmann::ordered_json json{{"schema", "xfercheck-diff/1"}};
  for (const Change change : kChanges)
    json[std::string(name(change))] = nlohmann::ordered_json::array();
  for (const FindingChange& change : diff.changes) {
    nlohmann::ordered_json entry;
    if (change.before && change.after)
      entry = {{"before", finding_to_json(*change.before)},
               {"after", finding_to_json(*change.after)}};
    else
      entry = finding_to_json(shown(change));
    json[std::string(name(change.change))].push_back(std::move(entry));
  }
  json["unchanged"] = diff.unchanged;
  return json;
}

void write_json(const ReportDiff& diff, std::ostream& out) {
  out << dump(diff_to_json(diff)) << '\n';
}

}  // namespace xfer
