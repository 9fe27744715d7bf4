#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <string>

#include "json.h"
#include "ranking.h"
#include "sarif_invocations.h"
#include "source_cache.h"
#include "text.h"
#include "xfer/rules/docs.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

// What GitHub code scanning takes: it refuses a run with more results, and cuts longer flows.
constexpr std::size_t kMostResults = 25000;
constexpr std::size_t kMostFlowLocations = 1000;

constexpr const char* kRootId = "%SRCROOT%";

std::string_view level(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kAdvice: return "note";
  }
  return {};
}

// "missing-transfer" -> "MissingTransfer".
std::string pascal_case(std::string_view slug) {
  std::string text;
  bool upper = true;
  for (const char c : slug) {
    if (c == '-') {
      upper = true;
      continue;
    }
    text += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return text;
}

Json artifact_location(const std::string& file) {
  if (file.starts_with('/')) return {{"uri", "file://" + percent_encoded(file)}};
  return {{"uri", percent_encoded(file)}, {"uriBaseId", kRootId}};
}

Json message(const std::string& text) { return {{"text", text.empty() ? "(no text)" : text}}; }

Json rule_json(const RuleInfo& rule) {
  const std::string help(docs(rule.rule));
  return {{"id", rule.slug},
          {"name", pascal_case(rule.slug)},
          {"shortDescription", {{"text", rule.summary}}},
          {"fullDescription", {{"text", std::string(rule.summary) + "."}}},
          {"help", {{"text", help}, {"markdown", help}}},
          {"defaultConfiguration",
           {{"enabled", rule.tier == Tier::kDefault}, {"level", level(rule.severity)}}},
          {"properties",
           {{"precision", "very-high"},
            {"problem.severity",
             rule.severity == Severity::kAdvice ? "recommendation" : level(rule.severity)},
            {"tags", Json::array({rule.severity == Severity::kError ? "correctness" : "performance",
                                  "gpu"})}}}};
}

class SarifWriter {
 public:
  explicit SarifWriter(SourceCache sources) : sources_(std::move(sources)) {}

  Json result(const Finding& finding) {
    Json json = {{"ruleId", info(finding.rule).slug},
                 {"ruleIndex", static_cast<std::size_t>(finding.rule)},
                 {"level", level(finding.severity)},
                 {"message", message(with_remedy(finding))},
                 {"locations", Json::array()},
                 {"properties", {{"confidence", name(finding.confidence)}}}};
    if (!finding.location.file.empty()) json["locations"].push_back(location(finding.location, ""));
    if (!finding.fingerprint.empty()) {
      json["partialFingerprints"] = {{"primaryLocationLineHash", finding.fingerprint + ":1"},
                                     {"xfercheckFinding/v1", finding.fingerprint}};
    }
    add_notes(finding, json);
    if (!finding.stack.empty()) json["stacks"] = Json::array({stack(finding.stack)});
    if (finding.fix && !finding.fix->replacements.empty())
      json["fixes"] = Json::array({fix(*finding.fix)});
    if (finding.cost) {
      json["occurrenceCount"] = std::max<std::uint64_t>(finding.cost->count, 1);
      json["properties"]["cost"] = {{"count", finding.cost->count},
                                    {"bytes", finding.cost->bytes},
                                    {"hostNanoseconds", finding.cost->host_ns},
                                    {"deviceNanoseconds", finding.cost->device_ns},
                                    {"savingNanoseconds", finding.cost->saving_ns},
                                    {"modelled", finding.cost->modelled}};
    }
    if (finding.step)
      json["properties"]["step"] = {{"name", finding.step->name},
                                    {"count", finding.step->count},
                                    {"nanoseconds", finding.step->ns},
                                    {"savingNanoseconds", finding.step->saving_ns}};
    return json;
  }

 private:
  // A fix that only says what to do has no other place there.
  static std::string with_remedy(const Finding& finding) {
    const bool is_text = finding.fix && finding.fix->replacements.empty();
    return is_text && !finding.fix->description.empty()
               ? finding.message + " (fix: " + finding.fix->description + ")"
               : finding.message;
  }

  // Findings count columns in bytes, SARIF here in code points.
  unsigned column(const std::string& file, std::size_t line, std::size_t byte_column) {
    const std::string_view text = sources_.line(file, line);
    if (byte_column - 1 > text.size()) return static_cast<unsigned>(byte_column);
    return static_cast<unsigned>(code_points_before(text, byte_column - 1) + 1);
  }

  static Json logical(const std::string& function) {
    return Json::array({Json{{"fullyQualifiedName", function}, {"kind", "function"}}});
  }

  Json location(const Location& place, const std::string& text) {
    Json physical = {{"artifactLocation", artifact_location(place.file)}};
    if (place.line != 0) {
      physical["region"]["startLine"] = place.line;
      if (place.column != 0)
        physical["region"]["startColumn"] = column(place.file, place.line, place.column);
      if (const std::string_view line = sources_.line(place.file, place.line); !line.empty())
        physical["region"]["snippet"]["text"] = line;
    }
    Json json = {{"physicalLocation", std::move(physical)}};
    if (!place.function.empty()) json["logicalLocations"] = logical(place.function);
    if (!text.empty()) json["message"] = {{"text", text}};
    return json;
  }

  // The notes tell how the program came here: they are the steps of a code flow that ends at the
  // finding, and each is a related location.
  void add_notes(const Finding& finding, Json& json) {
    Json steps = Json::array();
    Json related = Json::array();
    for (const Note& note : finding.notes) {
      if (note.location.file.empty()) continue;
      if (steps.size() + 1 == kMostFlowLocations) break;
      Json place = location(note.location, note.message);
      steps.push_back({{"location", place}});
      place["id"] = related.size() + 1;
      related.push_back(std::move(place));
    }
    if (steps.empty()) return;
    if (!finding.location.file.empty())
      steps.push_back({{"location", location(finding.location, finding.message)}});
    json["relatedLocations"] = std::move(related);
    const Json thread = {{"locations", std::move(steps)}};
    json["codeFlows"] = Json::array({Json{{"threadFlows", Json::array({thread})}}});
  }

  Json stack(const std::vector<Location>& frames) {
    Json list = Json::array();
    for (const Location& frame : frames) {
      Json place = frame.file.empty() ? Json::object() : location(frame, "");
      if (frame.file.empty()) place["logicalLocations"] = logical(frame.function);
      list.push_back({{"location", std::move(place)}});
    }
    return {{"frames", std::move(list)}};
  }

  Json fix(const Fix& fix) {
    Json changes = Json::array();
    for (const Replacement& replacement : fix.replacements) {
      Json change = {{"deletedRegion", deleted_region(replacement)},
                     {"insertedContent", {{"text", replacement.text}}}};
      const Json artifact = artifact_location(replacement.file);
      if (!changes.empty() && changes.back()["artifactLocation"] == artifact)
        changes.back()["replacements"].push_back(std::move(change));
      else
        changes.push_back(
            {{"artifactLocation", artifact}, {"replacements", Json::array({std::move(change)})}});
    }
    Json json = {{"artifactChanges", std::move(changes)}};
    if (!fix.description.empty()) json["description"] = {{"text", fix.description}};
    return json;
  }

  // As lines and columns when the file can be read: viewers understand those best.
  Json deleted_region(const Replacement& replacement) {
    const auto [line, start] = sources_.position(replacement.file, replacement.offset);
    const auto [end_line, end] =
        sources_.position(replacement.file, replacement.offset + replacement.length);
    if (line == 0 || end_line == 0)
      return {{"byteOffset", replacement.offset}, {"byteLength", replacement.length}};
    return {{"startLine", line},
            {"startColumn", column(replacement.file, line, start)},
            {"endLine", end_line},
            {"endColumn", column(replacement.file, end_line, end)}};
  }

  SourceCache sources_;
};

}  // namespace

void write_sarif(const Report& report, std::ostream& out, const std::filesystem::path& root) {
  Json rules = Json::array();
  for (const RuleInfo& rule : kRules) rules.push_back(rule_json(rule));

  SarifWriter writer(SourceCache(source_folders(report, root)));
  Json results = Json::array();
  for (const Finding* finding : by_severity(report.findings)) {
    if (results.size() == kMostResults) break;
    results.push_back(writer.result(*finding));
  }

  Json invocations = sarif_invocations(report.runs);
  if (report.findings.size() > kMostResults) {
    const std::string text = fmt::format(
        "{} of {} findings are left out, the least severe ones: a SARIF run holds at most {}",
        report.findings.size() - kMostResults, report.findings.size(), kMostResults);
    invocations[0]["toolExecutionNotifications"].push_back(
        Json{{"level", "warning"}, {"message", message(text)}});
  }
  Json root_id = {{"description", {{"text", "The root of the project."}}}};
  if (const std::string uri = sarif_project_uri(report.runs); !uri.empty()) root_id["uri"] = uri;
  Json run = {{"tool",
               {{"driver",
                 {{"name", report.tool.empty() ? "xfercheck" : report.tool},
                  {"semanticVersion", XFER_VERSION},
                  {"rules", std::move(rules)}}}}},
              {"invocations", std::move(invocations)},
              {"columnKind", "unicodeCodePoints"},
              {"originalUriBaseIds", {{kRootId, std::move(root_id)}}},
              {"results", std::move(results)}};
  if (!report.stats.empty()) run["properties"]["stats"] = report.stats;
  const Json sarif = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({std::move(run)})}};
  out << dump(sarif) << '\n';
}

}  // namespace xfer
