#include <gmock/gmock.h>

#include <sstream>

#include "sample.h"

namespace xfer {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string written(const Report& report) {
  std::ostringstream out;
  write_json(report, out);
  return out.str();
}

Report read(const std::string& text) {
  std::istringstream in(text);
  return read_json(in, "in.json");
}

TEST(WriteJson, is_the_contract) {
  Report report = report_of({full_finding()});
  report.stats["files"] = 3;
  EXPECT_EQ(json::parse(written(report)), json::parse(R"json({
    "schema": "xfercheck-findings/1",
    "tool": "xferlint",
    "findings": [{
      "rule": "discarded-transfer",
      "severity": "warning",
      "confidence": "certain",
      "message": "the result of to is discarded: x stays where it is",
      "location": {"file": "src/f.cc", "line": 3, "column": 2, "function": "f(at::Tensor)"},
      "notes": [{
        "location": {"file": "src/f.cc", "line": 2, "column": 22, "function": "f(at::Tensor)"},
        "message": "x was made here"}],
      "stack": [
        {"file": "src/f.cc", "line": 3, "column": 0, "function": "f(at::Tensor)"},
        {"file": "src/main.cc", "line": 7, "column": 0, "function": "main"}],
      "fix": {"description": "assign it", "replacements": [
        {"file": "src/f.cc", "offset": 52, "length": 0, "text": "x = "}]},
      "cost": {"count": 12, "bytes": 1536, "host_ns": 1200000, "device_ns": 500,
               "saving_ns": 700000, "modelled": false},
      "first_seen": [{"run": 0, "ns": 1000}, {"run": 2, "ns": 0}],
      "fingerprint": "0123456789abcdef"}],
    "stats": {"files": 3}})json"));
}

TEST(WriteJson, absent_fix_and_cost_are_null_and_lists_stay_lists) {
  const json finding =
      json::parse(written(report_of({small_finding(Rule::kRoundTrip, "a", 1)})))["findings"][0];
  EXPECT_TRUE(finding["fix"].is_null());
  EXPECT_TRUE(finding["cost"].is_null());
  EXPECT_EQ(finding["notes"], json::array());
  EXPECT_EQ(finding["stack"], json::array());
  const json empty = json::parse(written(report_of({})));
  EXPECT_EQ(empty["findings"], json::array());
  EXPECT_EQ(empty["stats"], json::object());
}

TEST(WriteJson, takes_bytes_that_are_not_utf8) {
  Finding finding = small_finding(Rule::kRoundTrip, "a\xFF", 1);
  EXPECT_EQ(json::parse(written(report_of({finding})))["findings"][0]["location"]["file"],
            "a\uFFFD");
}

TEST(ReadJson, reads_what_was_written) {
  Report report = report_of({full_finding(), small_finding(Rule::kMissingTransfer, "b.cc", 9)});
  report.findings[0].step = {"step", 8, 4'000'000, 300'000};
  report.stats["files"] = 3;
  const std::string text = written(report);
  EXPECT_THAT(text, HasSubstr(R"("name": "step")"));
  EXPECT_EQ(written(read(text)), text);
}

TEST(ReadJson, optional_parts_may_be_missing_or_null) {
  const Report report = read(R"({"schema":"xfercheck-findings/1","tool":"t","findings":[
    {"rule":"round-trip","severity":"advice","confidence":"look-alike","message":"m",
     "location":{"file":"a","line":1},"fix":null,"cost":null,"future":[1]}]})");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].severity, Severity::kAdvice);
  EXPECT_EQ(report.findings[0].confidence, Confidence::kLookAlike);
  EXPECT_FALSE(report.findings[0].cost.has_value());
}

struct Bad {
  const char* text;
  const char* complaint;
};

class ReadBadJson : public testing::TestWithParam<Bad> {};

TEST_P(ReadBadJson, says_what_is_wrong_and_where) {
  try {
    read(GetParam().text);
    FAIL() << "accepted";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_THAT(text, HasSubstr(GetParam().complaint));
    EXPECT_EQ(text.rfind("in.json:", 0), 0u) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

#define FINDING(fields)                                                              \
  R"({"schema":"xfercheck-findings/1","tool":"t","findings":[{"rule":"round-trip",)" \
  R"("severity":"error","confidence":"proven","message":"m",)" fields "}]}"

INSTANTIATE_TEST_SUITE_P(
    All, ReadBadJson,
    testing::Values(
        Bad{"", "the file is empty"},
        Bad{"{\"schema\": ", "1:12: not JSON: the text ends too early"},
        Bad{"\x7f"
            "ELF",
            "not JSON"},
        Bad{"[]", "expected an object, found an array"}, Bad{"{}", "\"schema\" is missing"},
        Bad{R"({"schema":7})", "schema: expected a string, found the number 7"},
        Bad{R"({"schema":"xfercheck-findings/2"})", "\"xfercheck-findings/2\" is not"},
        Bad{R"({"schema":"xfercheck-findings/1"})", "\"tool\" is missing"},
        Bad{R"({"schema":"xfercheck-findings/1","tool":"t"})", "\"findings\" is missing"},
        Bad{R"({"schema":"xfercheck-findings/1","tool":"t","findings":{}})",
            "findings: expected an array, found an object"},
        Bad{R"({"schema":"xfercheck-findings/1","tool":"t","findings":[1]})",
            "findings[0]: expected an object, found the number 1"},
        Bad{R"({"schema":"xfercheck-findings/1","tool":"t","findings":[{"rule":"nope"}]})",
            "findings[0].rule: there is no rule \"nope\""},
        Bad{R"({"schema":"xfercheck-findings/1","tool":"t","findings":[],"stats":[]})",
            "stats: expected an object"},
        Bad{FINDING(R"("x":1)"), "findings[0]: \"location\" is missing"},
        Bad{FINDING(R"("location":{"file":"a","line":-1})"),
            "findings[0].location.line: expected a whole number that is not negative, found the "
            "number -1"},
        Bad{FINDING(R"("location":{"file":"a","line":1.5})"), "location.line: expected a whole"},
        Bad{FINDING(R"("location":{"file":"a","line":5000000000})"), "5000000000 is too large"},
        Bad{FINDING(R"("location":{"file":"a","line":1},"notes":[{"message":"m"}])"),
            "findings[0].notes[0]: \"location\" is missing"},
        Bad{FINDING(R"("location":{"file":"a","line":1},"cost":{"count":"3"})"),
            "findings[0].cost.count: expected a whole number that is not negative, found a string"},
        Bad{FINDING(R"("location":{"file":"a","line":1},"fix":true)"),
            "findings[0].fix: expected an object, found true"},
        Bad{R"({"schema":"xfercheck-findings/1","tool":"t","findings":[{"rule":"round-trip",)"
            R"("severity":"bad"}]})",
            "findings[0].severity: there is no severity \"bad\"; there are error, warning, "
            "advice"}));

TEST(ReadJson, survives_deep_nesting) {
  EXPECT_THROW(read(std::string(1'000'000, '[')), std::runtime_error);
}

}  // namespace
}  // namespace xfer
