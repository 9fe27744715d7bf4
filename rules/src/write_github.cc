#include <fmt/format.h>

#include <ostream>

#include "ranking.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

// The runner ends a command at a line end and a property at a comma or colon; it decodes these.
std::string escape(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

std::string_view command(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kAdvice: return "notice";
  }
  return {};
}

std::string body(const Finding& finding) {
  std::string text = finding.message;
  for (const Note& note : finding.notes) {
    text += "\nnote: " + note.message;
    if (!note.location.file.empty())
      text += fmt::format(" ({}:{})", note.location.file, note.location.line);
  }
  if (finding.fix && !finding.fix->description.empty())
    text += "\nfix: " + finding.fix->description;
  if (finding.cost) text += "\n" + describe_occurrence(finding);
  return text;
}

}  // namespace

// GitHub shows only the first few annotations of a step, so the worst come first.
void write_github(const Report& report, std::ostream& out) {
  for (const RunInfo& run : report.runs)
    for (const RunNotice& notice : notices(run)) {
      const std::string next = notice.next.empty() ? "" : "\ntry: " + notice.next;
      out << "::warning title=" << escape(run.tool, true)
          << "::" << escape(notice.text + next, false) << '\n';
    }
  for (const Finding* finding : by_severity(report.findings)) {
    std::string properties;
    const auto add = [&](std::string_view key, std::string_view value) {
      properties +=
          fmt::format("{}{}={}", properties.empty() ? " " : ",", key, escape(value, true));
    };
    const Location& place = finding->location;
    if (!place.file.empty()) {
      add("file", place.file);
      if (place.line != 0) add("line", std::to_string(place.line));
      if (place.line != 0 && place.column != 0) add("col", std::to_string(place.column));
    }
    add("title", info(finding->rule).slug);
    out << "::" << command(finding->severity) << properties << "::" << escape(body(*finding), false)
        << '\n';
  }
}

}  // namespace xfer
