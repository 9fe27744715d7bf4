#include <algorithm>
#include <ostream>

#include "ranking.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

std::string_view severity_of(const Finding& finding) {
  switch (finding.severity) {
    case Severity::kError: return "critical";
    case Severity::kWarning: return "major";
    case Severity::kAdvice: return "info";
  }
  return {};
}

Json issue(std::string_view description, std::string_view check, std::string_view fingerprint,
           std::string_view severity, const Location& place) {
  // GitLab refuses a whole report for an issue without a path.
  return {{"description", description},
          {"check_name", check},
          {"fingerprint", fingerprint},
          {"severity", severity},
          {"location",
           {{"path", place.file.empty() ? "." : place.file},
            {"lines", {{"begin", std::max(1U, place.line)}}}}}};
}

/// One line, which is all that GitLab shows.
std::string description_of(const Finding& finding) {
  std::string text = finding.message;
  if (finding.fix && !finding.fix->description.empty())
    text += "; fix: " + finding.fix->description;
  return text;
}

}  // namespace

void write_gitlab(const Report& report, std::ostream& out) {
  Json issues = Json::array();
  for (const RunInfo& run : report.runs)
    for (const RunNotice& notice : notices(run))
      issues.push_back(issue(notice.text, run.tool, notice.text, "major", {}));
  for (const Finding* finding : by_severity(report.findings))
    issues.push_back(issue(description_of(*finding), info(finding->rule).slug, finding->fingerprint,
                           severity_of(*finding), finding->location));
  out << issues.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace xfer
