#include "analyzer/driver/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "analyzer/analyze.h"
#include "analyzer/driver/usage_error.h"
#include "xfer/rules/docs.h"

namespace xfer::lint {
namespace {

constexpr std::string_view kPrefix = "xfer-";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::string_view without_prefix(std::string_view name) {
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

/// Levenshtein distance, for "did you mean".
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

std::string_view nearest_slug(std::string_view wanted) {
  return std::ranges::min(kRules, {},
                          [&](const RuleInfo& rule) { return distance(rule.slug, wanted); })
      .slug;
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text) {
  std::size_t at = 0, in_text = 0, star = std::string_view::npos, retry = 0;
  while (in_text < text.size()) {
    if (at < glob.size() && glob[at] == '*') {
      star = at++;
      retry = in_text;
    } else if (at < glob.size() && glob[at] == text[in_text]) {
      ++at;
      ++in_text;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in_text = ++retry;
    } else {
      return false;
    }
  }
  while (at < glob.size() && glob[at] == '*') ++at;
  return at == glob.size();
}

std::vector<Rule> enabled_rules(std::string_view globs) {
  const std::vector<Rule>& known = analyzer::analyzer_rules();
  std::set<Rule> enabled;
  for (const Rule rule : known)
    if (info(rule).tier == Tier::kDefault) enabled.insert(rule);

  while (!globs.empty()) {
    const std::size_t comma = std::min(globs.find(','), globs.size());
    std::string_view glob = trimmed(globs.substr(0, comma));
    globs.remove_prefix(std::min(comma + 1, globs.size()));
    if (glob.empty()) continue;
    const bool off = glob.front() == '-';
    if (off) glob = trimmed(glob.substr(1));
    bool matched = false;
    for (const Rule rule : known) {
      if (!glob_matches(without_prefix(glob), info(rule).slug)) continue;
      matched = true;
      if (off) {
        enabled.erase(rule);
      } else {
        enabled.insert(rule);
      }
    }
    if (!matched) {
      throw UsageError(
          fmt::format("--checks: no check matches '{}' (nearest: {}; --list-checks lists them)",
                      glob, nearest_slug(without_prefix(glob))));
    }
  }
  if (enabled.empty()) throw UsageError("--checks leaves no check on");
  return {enabled.begin(), enabled.end()};
}

void list_checks(const std::vector<Rule>& enabled, std::ostream& out) {
  std::size_t width = 0;
  for (const Rule rule : analyzer::analyzer_rules())
    width = std::max(width, info(rule).slug.size());
  for (const Rule rule : analyzer::analyzer_rules()) {
    const RuleInfo& entry = info(rule);
    const bool on = std::ranges::find(enabled, rule) != enabled.end();
    out << fmt::format("{:{}}  {:3}  {:7}  {:12}  {}\n", entry.slug, width, on ? "on" : "off",
                       name(entry.severity), name(entry.tier), entry.summary);
  }
}

void explain_rule(std::string_view slug, std::ostream& out) {
  const std::optional<Rule> rule = find_rule(without_prefix(slug));
  if (!rule) {
    throw UsageError(fmt::format("--explain: there is no rule '{}' (nearest: {})", slug,
                                 nearest_slug(without_prefix(slug))));
  }
  out << docs(*rule);
}

}  // namespace xfer::lint
