#pragma once
// The rules of rules.def as a constexpr table. No allocation, no dependencies.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace xfer {

enum class Severity { kError, kWarning, kAdvice };

/// kDefault rules are on unless switched off; kAdvice and kExperimental ones are asked for by name.
enum class Tier { kDefault, kAdvice, kExperimental };

enum class Rule {
#define XFER_RULE(id, slug, severity, tier, lint, run, summary) id,
#include "rules.def"
#undef XFER_RULE
};

struct RuleInfo {
  Rule rule;
  std::string_view slug;
  Severity severity;
  Tier tier;
  std::string_view lint_message;  ///< empty: the analyzer has no check for it
  std::string_view run_message;   ///< empty: the runtime engine has no detector for it
  std::string_view summary;
};

inline constexpr auto kRules = std::to_array<RuleInfo>({
#define XFER_RULE(id, slug, severity, tier, lint, run, summary) \
  RuleInfo{Rule::id, slug, Severity::severity, Tier::tier, lint, run, summary},
#include "rules.def"
#undef XFER_RULE
});

constexpr const RuleInfo& info(Rule rule) { return kRules[static_cast<std::size_t>(rule)]; }

/// The names of all rules.
inline constexpr auto kSlugs = [] {
  std::array<std::string_view, kRules.size()> slugs;
  for (std::size_t i = 0; i < slugs.size(); ++i) slugs[i] = kRules[i].slug;
  return slugs;
}();

constexpr std::optional<Rule> find_rule(std::string_view slug) {
  for (const RuleInfo& candidate : kRules)
    if (candidate.slug == slug) return candidate.rule;
  return std::nullopt;
}

constexpr std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kAdvice: return "advice";
  }
  return {};
}

constexpr std::string_view name(Tier tier) {
  switch (tier) {
    case Tier::kDefault: return "default";
    case Tier::kAdvice: return "advice";
    case Tier::kExperimental: return "experimental";
  }
  return {};
}

}  // namespace xfer
