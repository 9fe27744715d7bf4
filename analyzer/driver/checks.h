#pragma once
// Which rules are on. Default: those of the default tier that the analyzer has a check for.

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "xfer/rules/rule.h"

namespace xfer::lint {

/// `globs` as in clang-tidy: comma-separated, later ones win, a leading '-' switches off, names
/// with or without the prefix "xfer-". The first glob without '-' extends the default set; "-*"
/// empties it. To fail on advice turns the advice rules on, before the globs are applied. Throws
/// UsageError for a glob that matches no rule.
std::vector<Rule> enabled_rules(std::string_view globs, Severity fail_on = Severity::kWarning);

/// Shell-style match with *.
bool glob_matches(std::string_view glob, std::string_view text);

/// The table of --list-checks.
void list_checks(const std::vector<Rule>& enabled, std::ostream& out);

/// The page of --explain. Throws UsageError for an unknown rule, and names the nearest.
void explain_rule(std::string_view slug, std::ostream& out);

}  // namespace xfer::lint
