#pragma once
// The changes from one report to the next, for CI: which findings are new, worse, better, gone.
// Findings are the same when their fingerprints are. Worse and better are told by count and bytes,
// which are the same in every run of the same program; times are shown and decide nothing.

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "xfer/rules/report.h"

namespace xfer {

enum class Change : std::uint8_t { kNew, kWorse, kBetter, kGone };

std::string_view name(Change change);

struct FindingChange {
  Change change{};
  std::optional<Finding> before;  ///< not of a new one
  std::optional<Finding> after;   ///< not of one that is gone
};

struct ReportDiff {
  std::vector<FindingChange> changes;  ///< new, worse, better, gone; each most costly first
  std::uint64_t unchanged = 0;
  nlohmann::ordered_json before_stats;
  nlohmann::ordered_json after_stats;

  bool is_worse() const;  ///< something is new or worse
};

ReportDiff diff(const Report& before, const Report& after);

void write_text(const ReportDiff& diff, std::ostream& out);
/// {"schema": "xfercheck-diff/1", "new": [finding], "worse": [{"before", "after"}], "better": ...,
/// "gone": [finding], "unchanged": N}
void write_json(const ReportDiff& diff, std::ostream& out);
/// One self-contained page. `root`: see TextOptions.
void write_html(const ReportDiff& diff, std::ostream& out, const std::filesystem::path& root);

}  // namespace xfer
