#include <gmock/gmock.h>

#include <sstream>

#include "sample.h"

namespace xfer {
namespace {

using nlohmann::json;

std::vector<json> lines_of(const Report& report, const RunLabels& labels = {"run.xft", "abc"}) {
  std::ostringstream out;
  write_jsonl(report, out, labels);
  std::istringstream in(out.str());
  std::vector<json> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  return lines;
}

TEST(WriteJsonl, ALineHasItsRunAndItsCost) {
  Report report = report_of({full_finding(), small_finding(Rule::kRoundTrip, "a", 1)}, "xfertrace");
  RunInfo run = new_run(RunKind::kTrace, "xfertrace");
  run.start_ns = 1'795'465'862'000'000'000;
  run.host = "node7";
  run.rank = 3;
  run.world_size = 8;
  report.runs = {run};
  report.findings[0].step = {"", 8, 4'000'000, 1'000'000};
  report.findings[1].step = {"step", 8, 4'000'000, 1'000'000};
  const std::vector<json> lines = lines_of(report);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["schema"], "xfercheck-finding/1");
  EXPECT_EQ(lines[0]["run"], "run.xft");
  EXPECT_EQ(lines[0]["commit"], "abc");
  EXPECT_EQ(lines[0]["time"], "2026-11-23T20:31:02Z");
  EXPECT_EQ(lines[0]["host"], "node7");
  EXPECT_EQ(lines[0]["rank"], 3);
  EXPECT_EQ(lines[0]["world_size"], 8);
  EXPECT_EQ(lines[0]["file"], "src/f.cc");
  EXPECT_EQ(lines[0]["fingerprint"], "0123456789abcdef");
  EXPECT_TRUE(lines[0]["step"].is_null());
  EXPECT_EQ(lines[0]["step_share"], 0.25);
  EXPECT_EQ(lines[1]["step"], "step");
  // Every line has the same columns, with a value or null.
  EXPECT_EQ(lines[0].size(), lines[1].size());
  for (const auto& [key, value] : lines[1].items()) {
    EXPECT_TRUE(lines[0].contains(key)) << key;
    EXPECT_FALSE(value.is_object() || value.is_array()) << key;
  }
}

TEST(WriteJsonl, FactsThatWereNotRecordedAreNull) {
  const std::vector<json> lines =
      lines_of(report_of({small_finding(Rule::kRoundTrip, "", 0)}), {"app", ""});
  for (const char* key :
       {"commit", "time", "host", "rank", "world_size", "file", "step", "step_share"})
    EXPECT_TRUE(lines.at(0)[key].is_null()) << key;
}

}  // namespace
}  // namespace xfer
