#pragma once
// The documentation of the rules that a page's findings are of, within the page: it works offline.

#include <iosfwd>
#include <span>
#include <string>

#include "xfer/rules/finding.h"

namespace xfer::html {

/// Of an element in a rule's page, for links: "rule-round-trip".
std::string rule_anchor(Rule rule);

void write_rule_pages(std::ostream& out, std::span<const Finding> findings);

}  // namespace xfer::html
