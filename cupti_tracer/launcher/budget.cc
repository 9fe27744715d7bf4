#include "budget.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "xfer/options.h"
#include "xfer/rules/nearest.h"

namespace xfer::launcher {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kPerScope = "_per_scope(";

// A metric and where the run's stats have its sum.
constexpr auto kMetrics = std::to_array<Row>({{"h2d_bytes", "/copies/host-to-device/bytes"},
                                              {"h2d_count", "/copies/host-to-device/count"},
                                              {"d2h_bytes", "/copies/device-to-host/bytes"},
                                              {"d2h_count", "/copies/device-to-host/count"},
                                              {"d2d_bytes", "/copies/within-device/bytes"},
                                              {"d2d_count", "/copies/within-device/count"},
                                              {"p2p_bytes", "/copies/between-devices/bytes"},
                                              {"p2p_count", "/copies/between-devices/count"},
                                              {"launches", "/launches/count"},
                                              {"syncs", "/syncs/count"},
                                              {"allocations", "/allocations/count"}});

constexpr auto kUnits =
    std::to_array<std::pair<std::string_view, std::uint64_t>>({{"", 1},
                                                               {"B", 1},
                                                               {"kB", 1000},
                                                               {"KB", 1000},
                                                               {"MB", 1000 * 1000},
                                                               {"GB", 1000 * 1000 * 1000},
                                                               {"KiB", 1 << 10},
                                                               {"MiB", 1 << 20},
                                                               {"GiB", 1 << 30}});

const Row* find_metric(std::string_view name) {
  const auto* found = std::find_if(kMetrics.begin(), kMetrics.end(),
                                   [&](const Row& row) { return row.first == name; });
  return found != kMetrics.end() ? found : nullptr;
}

std::string metric_names() {
  std::string names;
  for (const Row& row : kMetrics) names.append(names.empty() ? "" : ", ").append(row.first);
  return names;
}

// The names that can stand before the limit.
std::vector<std::string_view> all_names() {
  std::vector<std::string_view> names(kSlugs.begin(), kSlugs.end());
  for (const Row& row : kMetrics) names.push_back(row.first);
  return names;
}

[[noreturn]] void fail(std::string_view item, const std::string& what) {
  throw std::invalid_argument("--fail-on: " + quoted(item) + ": " + what);
}

std::uint64_t parse_limit(std::string_view item, std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto* found = std::find_if(kUnits.begin(), kUnits.end(),
                                   [&](const auto& row) { return row.first == unit; });
  if (error != std::errc() || found == kUnits.end())
    fail(item,
         "expected a number as the limit, with B, kB, MB, GB, KiB, MiB or GiB for bytes, got " +
             quoted(text));
  if (number > std::numeric_limits<std::uint64_t>::max() / found->second)
    fail(item, "the limit is too large");
  return number * found->second;
}

// One process's stats, or those of several.
template <typename Visit>
void each_process(const Json& stats, const Visit& visit) {
  const auto all = stats.find("processes");
  if (all == stats.end()) return visit(stats);
  for (const Json& process : *all) visit(process);
}

}  // namespace

std::size_t Budget::length(std::string_view list) {
  const std::size_t scope = list.substr(0, list.find(',')).find(kPerScope);
  const std::size_t named = scope == std::string_view::npos ? 0 : list.find(")>", scope);
  return std::min(list.find(',', named == std::string_view::npos ? 0 : named), list.size());
}

Budget Budget::parse(std::string_view item) {
  Budget budget;
  budget.text_ = item;
  // A '>' in a scope's name belongs to the name: the last '>' is the budget's.
  const std::size_t at = item.rfind('>');
  std::string_view metric = item.substr(0, at);
  const std::size_t in_scope = metric.find('(');
  if (at == std::string_view::npos || metric.substr(0, in_scope).find_first_of("<>") != metric.npos)
    fail(item, "a budget is metric>limit, or metric>=limit");
  std::string_view limit = item.substr(at + 1);
  budget.or_equal_ = limit.starts_with('=');
  if (budget.or_equal_) limit.remove_prefix(1);
  if (in_scope != std::string_view::npos) {
    const std::size_t begin = metric.find(kPerScope);
    if (begin == metric.npos || begin + kPerScope.size() - 1 != in_scope || !metric.ends_with(')'))
      fail(item, "name a scope like this: h2d_bytes_per_scope(step)>1MB");
    budget.scope_ =
        metric.substr(begin + kPerScope.size(), metric.size() - begin - kPerScope.size() - 1);
    if (budget.scope_.empty()) fail(item, "which scope?");
    metric = metric.substr(0, begin);
  }
  budget.limit_ = parse_limit(item, limit);
  budget.metric_ = metric;
  budget.rule_ = budget.scope_.empty() ? find_rule(metric) : std::nullopt;
  if (!budget.rule_ && find_metric(metric) == nullptr)
    fail(item, "expected a rule or one of " + metric_names() + ", got " + quoted(metric) +
                   did_you_mean(metric, all_names()));
  return budget;
}

std::optional<std::uint64_t> Budget::value(const Report& report) const {
  std::uint64_t sum = 0;
  if (rule_) {
    for (const Finding& finding : report.findings)
      if (finding.rule == *rule_) sum += finding.cost ? finding.cost->count : 1;
    return sum;
  }
  bool seen = scope_.empty();
  each_process(report.stats, [&](const Json& stats) {
    if (scope_.empty()) {
      const Json::json_pointer place(std::string(find_metric(metric_)->second));
      if (stats.contains(place)) sum += stats.at(place).get<std::uint64_t>();
      return;
    }
    const auto scopes = stats.find("scopes");
    if (scopes == stats.end() || !scopes->contains(scope_)) return;
    seen = true;
    sum = std::max(sum, scopes->at(scope_).at("most").at(metric_).get<std::uint64_t>());
  });
  return seen ? std::optional(sum) : std::nullopt;
}

std::optional<std::string> Budget::exceeded(const Report& report) const {
  const std::optional<std::uint64_t> found = value(report);
  if (!found)
    return "--fail-on " + text_ + ": the run had no scope '" + scope_ +
           "' (xfer_scope_begin in xfer/annotate.h, or an NVTX range)";
  if (or_equal_ ? *found < limit_ : *found <= limit_) return std::nullopt;
  const bool bytes = metric_.ends_with("_bytes");
  const std::string exact = std::to_string(*found);
  return "--fail-on " + text_ + ": it is " +
         (bytes ? format_bytes(*found) + " (" + exact + ")" : exact);
}

}  // namespace xfer::launcher
