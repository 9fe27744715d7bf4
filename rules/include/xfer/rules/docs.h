#pragma once
// The rules' documentation pages (rules/docs/<slug>.md), compiled in: what `xferlint --explain`
// prints and what SARIF viewers show beside a result. Markdown; the views live for ever.

#include <string_view>

#include "xfer/rules/rule.h"

namespace xfer {

/// The page of a rule. Every rule of rules.def has one: the build fails without.
std::string_view docs(Rule rule);

}  // namespace xfer
