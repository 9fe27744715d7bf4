#include <ostream>

#include "json.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Location& location) {
  return {{"file", location.file},
          {"line", location.line},
          {"column", location.column},
          {"function", location.function}};
}

Json to_json(const Fix& fix) {
  Json replacements = Json::array();
  for (const Replacement& replacement : fix.replacements) {
    replacements.push_back({{"file", replacement.file},
                            {"offset", replacement.offset},
                            {"length", replacement.length},
                            {"text", replacement.text}});
  }
  return {{"description", fix.description}, {"replacements", std::move(replacements)}};
}

}  // namespace

Json finding_to_json(const Finding& finding) {
  Json notes = Json::array();
  for (const Note& note : finding.notes)
    notes.push_back({{"location", to_json(note.location)}, {"message", note.message}});
  Json stack = Json::array();
  for (const Location& frame : finding.stack) stack.push_back(to_json(frame));
  Json cost = nullptr;
  if (finding.cost) {
    cost = {{"count", finding.cost->count},         {"bytes", finding.cost->bytes},
            {"host_ns", finding.cost->host_ns},     {"device_ns", finding.cost->device_ns},
            {"saving_ns", finding.cost->saving_ns}, {"modelled", finding.cost->modelled}};
  }
  Json json{{"rule", info(finding.rule).slug},
            {"severity", name(finding.severity)},
            {"confidence", name(finding.confidence)},
            {"message", finding.message},
            {"location", to_json(finding.location)},
            {"notes", std::move(notes)},
            {"stack", std::move(stack)},
            {"fix", finding.fix ? to_json(*finding.fix) : Json(nullptr)},
            {"cost", std::move(cost)},
            {"fingerprint", finding.fingerprint}};
  if (finding.step)
    json["step"] = {{"name", finding.step->name},
                    {"count", finding.step->count},
                    {"ns", finding.step->ns},
                    {"saving_ns", finding.step->saving_ns}};
  for (const FirstSeen& seen : finding.first_seen)
    json["first_seen"].push_back({{"run", seen.run}, {"ns", seen.ns}});
  return json;
}

Json report_to_json(const Report& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(finding_to_json(finding));
  Json json{{"schema", kFindingsSchema}, {"tool", report.tool}};
  for (const RunInfo& run : report.runs) json["runs"].push_back(to_json(run));
  json["findings"] = std::move(findings);
  json["stats"] = report.stats;
  return json;
}

void write_json(const Report& report, std::ostream& out) {
  out << dump(report_to_json(report)) << '\n';
}

}  // namespace xfer
