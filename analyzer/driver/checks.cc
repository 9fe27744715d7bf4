#include "analyzer/driver/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "analyzer/analyze.h"
#include "analyzer/driver/usage_error.h"
#include "xfer/rules/docs.h"
#include "xfer/rules/nearest.h"

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

/// Of the rules that the analyzer has a check for.
std::vector<std::string_view> check_names() {
  std::vector<std::string_view> names;
  for (const Rule rule : analyzer::analyzer_rules()) names.push_back(info(rule).slug);
  return names;
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

std::vector<Rule> enabled_rules(std::string_view globs, Severity fail_on) {
  const std::vector<Rule>& known = analyzer::analyzer_rules();
  std::set<Rule> enabled;
  for (const Rule rule : known)
    if (info(rule).tier == Tier::kDefault ||
        (info(rule).tier == Tier::kAdvice && fail_on == Severity::kAdvice))
      enabled.insert(rule);

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
      throw UsageError(fmt::format("--checks: no check matches '{}'{} (--list-checks lists them)",
                                   glob, did_you_mean(without_prefix(glob), check_names())));
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
    throw UsageError(fmt::format("--explain: there is no rule '{}'{} (--list-checks lists them)",
                                 slug, did_you_mean(without_prefix(slug), kSlugs)));
  }
  out << docs(*rule);
}

}  // namespace xfer::lint
