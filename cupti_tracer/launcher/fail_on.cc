#include "fail_on.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "xfer/options.h"
#include "xfer/rules/nearest.h"

namespace xfer::launcher {
namespace {

std::optional<Severity> severity_of(std::string_view word) {
  if (word == "any") return Severity::kAdvice;
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kAdvice})
    if (word == name(severity)) return severity;
  return std::nullopt;
}

}  // namespace

FailOn FailOn::parse(std::string_view spec) {
  FailOn result;
  while (!spec.empty()) {
    const std::string_view item = spec.substr(0, Budget::length(spec));
    spec.remove_prefix(std::min(item.size() + 1, spec.size()));
    if (const auto severity = severity_of(item)) {
      // The enum goes from worst to mildest: the mildest that was named includes the others.
      result.severity_ = result.severity_given_ ? std::max(result.severity_, *severity) : *severity;
      result.severity_given_ = true;
    } else if (const auto rule = find_rule(item)) {
      result.rules_.push_back(*rule);
    } else if (Budget::is_one(item)) {
      result.budgets_.push_back(Budget::parse(item));
    } else {
      throw std::invalid_argument(
          "--fail-on: expected a rule, a severity (error, warning, advice), a "
          "budget (metric>limit) or any, got " +
          quoted(item) + did_you_mean(item, kSlugs));
    }
  }
  if (result.empty()) throw std::invalid_argument("--fail-on: the list is empty");
  return result;
}

bool FailOn::matches(const Finding& finding) const {
  if (severity_given_ && finding.severity <= severity_) return true;
  return std::find(rules_.begin(), rules_.end(), finding.rule) != rules_.end();
}

std::vector<std::string> FailOn::exceeded(const Report& report) const {
  std::vector<std::string> lines;
  for (const Budget& budget : budgets_)
    if (const auto line = budget.exceeded(report)) lines.push_back(*line);
  return lines;
}

}  // namespace xfer::launcher
