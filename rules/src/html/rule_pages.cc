#include "rule_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "html_escape.h"
#include "markdown.h"
#include "xfer/rules/docs.h"

namespace xfer::html {

std::string rule_anchor(Rule rule) { return "rule-" + std::string(info(rule).slug); }

void write_rule_pages(std::ostream& out, std::span<const Finding> findings) {
  std::set<Rule> used;
  for (const Finding& finding : findings) used.insert(finding.rule);
  if (used.empty()) return;
  const auto target = [&](std::string_view link) {
    if (!link.ends_with(".md")) return std::string();
    const auto rule = find_rule(link.substr(0, link.size() - 3));
    return rule && used.contains(*rule) ? "#" + rule_anchor(*rule) : std::string();
  };
  out << "<section class=\"rules\" id=\"rules\" aria-label=\"Rules\">\n<h2>Rules</h2>\n";
  for (const Rule rule : used)
    // A link to the inner element opens the closed page around it.
    out << fmt::format(
        "<details class=\"rule\"><summary><span class=\"slug\">{}</span> {}</summary>\n"
        "<div class=\"page\" id=\"{}\" tabindex=\"-1\">\n{}</div></details>\n",
        info(rule).slug, escape(info(rule).summary), rule_anchor(rule),
        render_markdown(docs(rule), target));
  out << "</section>\n";
}

}  // namespace xfer::html
