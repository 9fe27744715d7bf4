#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "sample.h"
#include "xfer/rules/docs.h"

namespace xfer {
namespace {

using nlohmann::json;

json written(const Report& report, const std::filesystem::path& root = {}) {
  std::ostringstream out;
  write_sarif(report, out, root);
  return json::parse(out.str());
}

json first_result(const Finding& finding, const std::filesystem::path& root = {}) {
  return written(report_of({finding}), root)["runs"][0]["results"][0];
}

// The part of the standard's schema that every reader relies on: required members, allowed values,
// and no member that the standard does not know.
class Shape {
 public:
  static void check(const json& log) {
    members(log, {"$schema", "version", "runs"}, {"version", "runs"});
    EXPECT_EQ(log["version"], "2.1.0");
    for (const json& run : log["runs"]) {
      members(run,
              {"tool", "invocations", "columnKind", "originalUriBaseIds", "results", "properties"},
              {"tool", "results"});
      const json& driver = run["tool"]["driver"];
      members(driver, {"name", "semanticVersion", "rules"}, {"name"});
      std::set<std::string> ids;
      for (const json& rule : driver["rules"]) {
        members(rule,
                {"id", "name", "shortDescription", "fullDescription", "help",
                 "defaultConfiguration", "properties"},
                {"id"});
        EXPECT_TRUE(ids.insert(rule["id"]).second);
        members(rule["help"], {"text", "markdown"}, {"text"});
        level(rule["defaultConfiguration"]["level"]);
        EXPECT_LE(rule["properties"]["tags"].size(), 10u);
      }
      for (const json& invocation : run["invocations"]) check_invocation(invocation);
      EXPECT_TRUE(run["columnKind"] == "unicodeCodePoints" ||
                  run["columnKind"] == "utf16CodeUnits");
      for (const json& result : run["results"]) check_result(result, driver["rules"], run);
    }
  }

 private:
  static void members(const json& object, const std::set<std::string>& allowed,
                      const std::set<std::string>& required) {
    ASSERT_TRUE(object.is_object()) << object;
    for (const auto& [key, value] : object.items()) {
      EXPECT_TRUE(allowed.contains(key)) << key;
      EXPECT_FALSE(value.is_null()) << key;
    }
    for (const std::string& key : required) EXPECT_TRUE(object.contains(key)) << key;
  }

  static void check_invocation(const json& value) {
    members(value,
            {"commandLine", "arguments", "executableLocation", "startTimeUtc", "exitCode",
             "exitSignalName", "exitSignalNumber", "machine", "workingDirectory",
             "executionSuccessful", "toolExecutionNotifications", "properties"},
            {"executionSuccessful"});
    EXPECT_TRUE(value["executionSuccessful"].is_boolean());
    for (const json& notification : list(value, "toolExecutionNotifications")) {
      members(notification, {"level", "message"}, {"message"});
      level(notification["level"]);
      message(notification["message"]);
    }
  }

  // The member's elements, none when it is not there.
  static const json& list(const json& object, const char* key) {
    static const json empty = json::array();
    const auto found = object.find(key);
    return found == object.end() ? empty : *found;
  }

  static void level(const json& value) {
    EXPECT_TRUE(value == "none" || value == "note" || value == "warning" || value == "error");
  }

  static void message(const json& value) {
    members(value, {"text", "markdown"}, {"text"});
    EXPECT_FALSE(value["text"].get<std::string>().empty());
  }

  static void artifact(const json& value, const json& run) {
    members(value, {"uri", "uriBaseId"}, {"uri"});
    const std::string uri = value["uri"];
    if (value.contains("uriBaseId")) {
      EXPECT_TRUE(run["originalUriBaseIds"].contains(value["uriBaseId"].get<std::string>()));
      EXPECT_FALSE(uri.starts_with("/")) << uri;
      EXPECT_EQ(uri.find(':'), std::string::npos) << uri;
    } else {
      EXPECT_TRUE(uri.starts_with("file:///")) << uri;
    }
    EXPECT_EQ(uri.find_first_of(" \\<>\"{}|^`#?"), std::string::npos) << uri;
  }

  static void region(const json& value) {
    members(
        value,
        {"startLine", "startColumn", "endLine", "endColumn", "byteOffset", "byteLength", "snippet"},
        {});
    for (const char* key : {"startLine", "startColumn", "endLine", "endColumn"})
      EXPECT_GE(value.value(key, 1), 1);
  }

  static void location(const json& value, const json& run) {
    members(value, {"id", "physicalLocation", "logicalLocations", "message"}, {});
    if (value.contains("physicalLocation")) {
      members(value["physicalLocation"], {"artifactLocation", "region"}, {"artifactLocation"});
      artifact(value["physicalLocation"]["artifactLocation"], run);
      if (value["physicalLocation"].contains("region")) region(value["physicalLocation"]["region"]);
    }
    for (const json& logical : list(value, "logicalLocations"))
      members(logical, {"fullyQualifiedName", "kind"}, {});
    if (value.contains("message")) message(value["message"]);
  }

  static void check_result(const json& result, const json& rules, const json& run) {
    members(result,
            {"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints",
             "relatedLocations", "codeFlows", "stacks", "fixes", "occurrenceCount", "properties"},
            {"ruleId", "message"});
    level(result["level"]);
    message(result["message"]);
    EXPECT_EQ(rules.at(result["ruleIndex"].get<std::size_t>())["id"], result["ruleId"]);
    ASSERT_TRUE(result["locations"].is_array());
    for (const json& place : result["locations"]) location(place, run);
    for (const json& place : list(result, "relatedLocations")) location(place, run);
    for (const json& flow : list(result, "codeFlows"))
      for (const json& thread : flow.at("threadFlows"))
        for (const json& step : thread.at("locations")) location(step.at("location"), run);
    for (const json& stack : list(result, "stacks"))
      for (const json& frame : stack.at("frames")) location(frame.at("location"), run);
    for (const json& fix : list(result, "fixes")) {
      for (const json& change : fix.at("artifactChanges")) {
        artifact(change.at("artifactLocation"), run);
        ASSERT_TRUE(change.at("replacements").is_array());
        for (const json& replacement : change["replacements"]) {
          members(replacement, {"deletedRegion", "insertedContent"}, {"deletedRegion"});
          region(replacement["deletedRegion"]);
        }
      }
    }
    for (const json& fingerprint : list(result, "partialFingerprints"))
      EXPECT_TRUE(fingerprint.is_string());
  }
};

TEST(WriteSarif, has_the_shape_of_the_standard) {
  const TempDir dir;
  dir.write("src/f.cc", kSampleSource);
  Finding absolute = full_finding();
  absolute.location.file = "/usr/include/a b#c.h";
  Finding nowhere = small_finding(Rule::kUnusedTransfer, "", 0, Severity::kAdvice);
  nowhere.message.clear();
  nowhere.stack = {{"", 0, 0, "cudaMemcpy"}};
  Report report = report_of({full_finding(), absolute, nowhere});
  report.stats["files"] = 1;
  Shape::check(written(report));
  Shape::check(written(report, dir.path()));
  Shape::check(written(report_of({})));
}

TEST(WriteSarif, carries_the_catalogue_with_its_pages) {
  const json driver = written(report_of({}))["runs"][0]["tool"]["driver"];
  EXPECT_EQ(driver["name"], "xferlint");
  ASSERT_EQ(driver["rules"].size(), kRules.size());
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    EXPECT_EQ(driver["rules"][i]["id"], kRules[i].slug);
    EXPECT_EQ(driver["rules"][i]["help"]["markdown"], docs(kRules[i].rule));
  }
  EXPECT_EQ(driver["rules"][0]["name"], "MissingTransfer");
  EXPECT_EQ(driver["rules"][0]["defaultConfiguration"]["level"], "error");
}

TEST(WriteSarif, a_result_has_place_flow_and_fingerprint) {
  const json result = first_result(full_finding());
  EXPECT_EQ(result["ruleId"], "discarded-transfer");
  const json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "src/f.cc");
  EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(place["region"]["startLine"], 3);
  EXPECT_EQ(result["partialFingerprints"]["xfercheckFinding/v1"], "0123456789abcdef");
  const json& steps = result["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0]["location"]["message"]["text"], "x was made here");
  EXPECT_EQ(result["relatedLocations"].size(), 1u);
  EXPECT_EQ(result["stacks"][0]["frames"].size(), 2u);
  EXPECT_EQ(result["occurrenceCount"], 12);
}

TEST(WriteSarif, fixes_are_lines_and_columns_where_the_source_is_there) {
  json region = first_result(
      full_finding())["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"];
  EXPECT_EQ(region, json::parse(R"({"byteOffset":52,"byteLength":0})"));
  const TempDir dir;
  dir.write("src/f.cc", kSampleSource);
  region = first_result(
      full_finding(),
      dir.path())["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"];
  EXPECT_EQ(region, json::parse(R"({"startLine":3,"startColumn":2,"endLine":3,"endColumn":2})"));
}

TEST(WriteSarif, a_remedy_in_words_is_in_the_message) {
  Finding finding = small_finding(Rule::kRoundTrip, "a.cc", 5);
  finding.message = "it comes back";
  finding.fix = Fix{"skip the download", {}};
  const json result = first_result(finding);
  EXPECT_EQ(result["message"]["text"], "it comes back (fix: skip the download)");
  EXPECT_FALSE(result.contains("fixes"));
}

TEST(WriteSarif, columns_count_characters) {
  const TempDir dir;
  dir.write("a.cc", "größe.to(d);\n");
  Finding finding = small_finding(Rule::kRoundTrip, "a.cc", 1);
  finding.location.column = 9;
  EXPECT_EQ(first_result(finding,
                         dir.path())["locations"][0]["physicalLocation"]["region"]["startColumn"],
            7);
}

TEST(WriteSarif, keeps_to_what_code_scanning_takes) {
  Report report = report_of(
      std::vector<Finding>(25'001, small_finding(Rule::kRoundTrip, "a", 1, Severity::kAdvice)));
  report.findings.back().severity = Severity::kError;
  report.findings.back().notes.resize(1500, {{"b", 1, 1, ""}, "n"});
  const json run = written(report)["runs"][0];
  EXPECT_EQ(run["results"].size(), 25'000u);
  EXPECT_EQ(run["results"][0]["level"], "error");
  EXPECT_EQ(run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"].size(), 1000u);
  EXPECT_THAT(
      run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].get<std::string>(),
      testing::HasSubstr("1 of 25001 findings are left out"));
}

}  // namespace
}  // namespace xfer
