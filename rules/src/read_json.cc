#include <fmt/format.h>

#include <istream>
#include <limits>
#include <stdexcept>

#include "json.h"
#include "json_node.h"
#include "text.h"
#include "xfer/rules/nearest.h"
#include "xfer/rules/parse_json.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

constexpr std::uint64_t kMostLines = std::numeric_limits<unsigned>::max();

Location read_location(const Node& node) {
  node.expect_object();
  Location location;
  location.file = node.at("file").string();
  location.line = static_cast<unsigned>(node.at("line").number(kMostLines));
  if (node.has("column"))
    location.column = static_cast<unsigned>(node.at("column").number(kMostLines));
  if (node.has("function")) location.function = node.at("function").string();
  return location;
}

template <typename Value, typename Names>
Value read_name(const Node& node, const char* what, const Names& names) {
  const std::string text = node.string();
  std::string all;
  for (const Value value : names) {
    if (name(value) == text) return value;
    all += (all.empty() ? "" : ", ") + std::string(name(value));
  }
  node.fail(fmt::format("there is no {} \"{}\"; there are {}", what, text, all));
}

Fix read_fix(const Node& node) {
  node.expect_object();
  Fix fix;
  if (node.has("description")) fix.description = node.at("description").string();
  node.at("replacements").each([&](const Node& entry) {
    entry.expect_object();
    fix.replacements.push_back({entry.at("file").string(), entry.at("offset").number(),
                                entry.at("length").number(), entry.at("text").string()});
  });
  return fix;
}

Cost read_cost(const Node& node) {
  node.expect_object();
  return {node.at("count").number(),
          node.at("bytes").number(),
          node.at("host_ns").number(),
          node.at("device_ns").number(),
          node.has("saving_ns") ? node.at("saving_ns").number() : 0,
          node.has("modelled") && node.at("modelled").boolean()};
}

Finding read_finding(const Node& node) {
  node.expect_object();
  Finding finding;
  const Node rule = node.at("rule");
  const std::optional<Rule> known = find_rule(rule.string());
  if (!known)
    rule.fail(fmt::format("there is no rule \"{}\" in this version ({}){}", rule.string(),
                          XFER_VERSION, did_you_mean(rule.string(), kSlugs)));
  finding.rule = *known;
  finding.severity = read_name<Severity>(
      node.at("severity"), "severity",
      std::initializer_list<Severity>{Severity::kError, Severity::kWarning, Severity::kAdvice});
  finding.confidence = read_name<Confidence>(
      node.at("confidence"), "confidence",
      std::initializer_list<Confidence>{Confidence::kCertain, Confidence::kProven,
                                        Confidence::kContentDuplicate, Confidence::kLookAlike});
  finding.message = node.at("message").string();
  finding.location = read_location(node.at("location"));
  if (node.has("notes")) {
    node.at("notes").each([&](const Node& note) {
      note.expect_object();
      finding.notes.push_back({read_location(note.at("location")), note.at("message").string()});
    });
  }
  if (node.has("stack"))
    node.at("stack").each(
        [&](const Node& frame) { finding.stack.push_back(read_location(frame)); });
  if (node.has("fix")) finding.fix = read_fix(node.at("fix"));
  if (node.has("cost")) finding.cost = read_cost(node.at("cost"));
  if (node.has("step")) {
    const Node step = node.at("step");
    step.expect_object();
    finding.step = {step.at("name").string(), step.at("count").number(), step.at("ns").number(),
                    step.at("saving_ns").number()};
  }
  if (node.has("first_seen"))
    node.at("first_seen").each([&](const Node& seen) {
      seen.expect_object();
      finding.first_seen.push_back({seen.at("run").number(), seen.at("ns").number()});
    });
  if (node.has("fingerprint")) finding.fingerprint = node.at("fingerprint").string();
  return finding;
}

}  // namespace

Report read_json(std::istream& in, const std::string& name) {
  if (!in) throw std::runtime_error(name + ": cannot be read");
  const nlohmann::ordered_json json = parse_json(in, name);
  const Node root(json, name, "");
  root.expect_object();
  const std::string schema = root.at("schema").string();
  if (schema != kFindingsSchema)
    root.at("schema").fail(fmt::format("\"{}\" is not \"{}\": not a findings file of this version",
                                       schema, kFindingsSchema));
  Report report;
  report.tool = root.at("tool").string();
  root.at("findings").each([&](const Node& node) {
    report.findings.push_back(read_finding(node));
  });
  if (root.has("stats")) {
    root.at("stats").expect_object();
    report.stats = json["stats"];
  }
  if (root.has("runs"))
    root.at("runs").each([&](const Node& node) { report.runs.push_back(read_run(node)); });
  return report;
}

}  // namespace xfer
