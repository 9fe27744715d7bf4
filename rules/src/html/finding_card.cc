#include "finding_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "html_escape.h"
#include "long_name.h"
#include "rule_pages.h"
#include "src/ranking.h"
#include "src/text.h"
#include "xfer/rules/report.h"

namespace xfer::html {
namespace {

constexpr std::size_t kContextLines = 2;
constexpr std::size_t kLongestLine = 400;

std::string place_text(const Location& place) {
  if (place.file.empty()) return place.function.empty() ? "(unknown place)" : place.function;
  std::string text = place.file;
  if (place.line != 0) text += fmt::format(":{}", place.line);
  if (place.line != 0 && place.column != 0) text += fmt::format(":{}", place.column);
  return text;
}

std::string code(std::string_view text) {
  const bool cut = text.size() > kLongestLine;
  if (cut) {
    std::size_t length = kLongestLine;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
    text = text.substr(0, length);
  }
  return escape_code(text) + (cut ? "&hellip;" : "");
}

std::size_t token_end(std::string_view text, std::size_t begin) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::size_t end = begin;
  while (end < text.size() && is_word(text[end])) ++end;
  if (end == begin) end += std::max<std::size_t>(utf8_length(text.substr(begin)), 1);
  return end;
}

}  // namespace

void FindingCards::write(const Finding& finding, const Card& card) {
  show_sources_ = card.sources;
  const RuleInfo& rule = info(finding.rule);
  const bool has_both = !finding.location.file.empty() && !finding.location.function.empty();
  const std::string rest = fmt::format(" title=\"{}\">{}", escape(rule.summary), rule.slug);
  const std::string slug = card.rule_link ? "<a class=\"slug\" href=\"#" +
                                                rule_anchor(finding.rule) + "\"" + rest + "</a>"
                                          : "<span class=\"slug\"" + rest + "</span>";
  out_ << fmt::format(
      "<li class=\"finding {0}\" id=\"{1}\" data-severity=\"{0}\" data-rule=\"{2}\" "
      "data-file=\"{6}\">\n"
      "<details{7}>\n<summary><span class=\"badge {0}\">{0}</span>"
      "<span class=\"head\"><span class=\"message\">{3}</span>"
      "<span class=\"where\">{4}{5}</span></span>{8}",
      name(finding.severity), card.id, rule.slug, prose_with_long_names(finding.message),
      finding.location.file.empty() ? long_name(place_text(finding.location))
                                    : escape(place_text(finding.location)),
      has_both ? " <span class=\"in\">in " + long_name(finding.location.function) + "</span>" : "",
      escape(finding.location.file), card.open ? " open" : "", slug);
  out_ << "</summary>\n<div class=\"body\">\n";
  if (card.before != nullptr && card.before->cost)
    out_ << "<p class=\"before\">before: " << escape(describe(*card.before->cost)) << "</p>\n";
  if (finding.cost) cost(finding);
  excerpt(finding.location, kContextLines);
  notes(finding);
  if (finding.fix) fix(*finding.fix);
  if (stack_says_more(finding)) stack(finding.stack);
  out_ << fmt::format(
      "<p class=\"meta\">confidence: {}{}</p>\n</div>\n</details>\n</li>\n",
      name(finding.confidence),
      finding.fingerprint.empty() ? "" : " &middot; fingerprint: " + escape(finding.fingerprint));
}

void FindingCards::cost(const Finding& finding) {
  const Cost& cost = *finding.cost;
  out_ << "<div class=\"cost\"><span>" << escape(describe_occurrence(finding)) << "</span>";
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  const bool by_time = total_.host_ns != 0;
  const double percent = std::min(
      100.0, by_time ? share(cost.host_ns, total_.host_ns) : share(cost.bytes, total_.bytes));
  if (percent > 0) {
    out_ << fmt::format(
        "<span class=\"part\"><span class=\"bar\" role=\"img\" aria-label=\"{0:.0f} percent of the "
        "{1}\">"
        "<span style=\"width:{0:.1f}%\"></span></span><span class=\"share\">{0:.0f}&thinsp;% of "
        "the {1}</span></span>",
        percent,
        !by_time          ? "measured bytes"
        : total_.modelled ? "modelled host time"
                          : "measured host time");
  }
  out_ << "</div>\n";
}

// The line with `context` lines around it, its column marked.
void FindingCards::excerpt(const Location& place, std::size_t context) {
  if (!show_sources_) return;
  const std::size_t count = sources_.line_count(place.file);
  if (place.line == 0 || place.line > count) return;
  const std::size_t first = place.line > context ? place.line - context : 1;
  const std::size_t last = std::min<std::size_t>(count, place.line + context);
  out_ << "<pre class=\"source\" tabindex=\"0\"><code>";
  for (std::size_t line = first; line <= last; ++line) {
    const std::string_view text = sources_.line(place.file, line);
    const bool hit = line == place.line;
    out_ << fmt::format("<span class=\"line{}\"><span class=\"number\">{}</span>",
                        hit ? " hit" : "", line);
    const std::size_t mark = place.column == 0 ? text.size() : place.column - 1;
    if (hit && mark < text.size() && mark < kLongestLine) {
      const std::size_t end = token_end(text, mark);
      out_ << code(text.substr(0, mark)) << "<mark>" << code(text.substr(mark, end - mark))
           << "</mark>" << code(text.substr(end));
    } else {
      out_ << code(text);
    }
    out_ << "</span>\n";
  }
  out_ << "</code></pre>\n";
}

void FindingCards::notes(const Finding& finding) {
  if (finding.notes.empty()) return;
  out_ << "<ul class=\"notes\">\n";
  for (const Note& note : finding.notes) {
    out_ << "<li><p>" << prose_with_long_names(note.message);
    if (!note.location.file.empty())
      out_ << " <span class=\"where\">" << escape(place_text(note.location)) << "</span>";
    out_ << "</p>\n";
    // The finding's own line is on the page already.
    if (note.location.file != finding.location.file || note.location.line != finding.location.line)
      excerpt(note.location, 0);
    out_ << "</li>\n";
  }
  out_ << "</ul>\n";
}

void FindingCards::fix(const Fix& fix) {
  out_ << "<div class=\"fix\"><p><strong>Fix</strong> " << escape_prose(fix.description)
       << "</p>\n";
  for (const Replacement& replacement : fix.replacements) change(replacement);
  out_ << "</div>\n";
}

// The lines that a replacement touches, before and after it.
void FindingCards::change(const Replacement& replacement) {
  const auto [line, column] = sources_.position(replacement.file, replacement.offset);
  const auto [end_line, end_column] =
      sources_.position(replacement.file, replacement.offset + replacement.length);
  if (line == 0 || end_line == 0 || end_line - line > 20) return;
  out_ << "<pre class=\"source\" tabindex=\"0\"><code>";
  for (std::size_t i = line; i <= end_line; ++i)
    diff_line("removed", '-', sources_.line(replacement.file, i));
  std::string after(sources_.line(replacement.file, line).substr(0, column - 1));
  after += replacement.text;
  const std::string_view tail = sources_.line(replacement.file, end_line);
  if (end_column - 1 <= tail.size()) after += tail.substr(end_column - 1);
  for (std::size_t begin = 0; begin <= after.size();) {
    const std::size_t end = std::min(after.find('\n', begin), after.size());
    diff_line("added", '+', std::string_view(after).substr(begin, end - begin));
    begin = end + 1;
  }
  out_ << "</code></pre>\n";
}

void FindingCards::diff_line(std::string_view kind, char sign, std::string_view text) {
  out_ << fmt::format("<span class=\"line {}\"><span class=\"number\">{}</span>{}</span>\n", kind,
                      sign, code(text));
}

void FindingCards::stack(const std::vector<Location>& frames) {
  out_ << fmt::format(
      "<details class=\"stack\"><summary>Call stack, {}</summary>\n<ol start=\"0\">\n",
      plural(frames.size(), "frame"));
  for (const Location& frame : frames) {
    out_ << "<li><code>" << long_name(frame.function.empty() ? "?" : frame.function) << "</code>";
    if (!frame.file.empty())
      out_ << " <span class=\"where\">" << escape(place_text(frame)) << "</span>";
    out_ << "</li>\n";
  }
  out_ << "</ol></details>\n";
}

}  // namespace xfer::html
