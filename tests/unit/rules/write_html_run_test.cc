// A traced run on the pages: the timeline, the steps, two runs side by side.

#include <gmock/gmock.h>

#include <random>
#include <sstream>

#include "sample.h"
#include "xfer/rules/diff.h"

namespace xfer {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

Json stats() {
  return Json::parse(R"({
    "run_ns": 2000000,
    "copies": {"host-to-device": {"count": 4, "bytes": 4096}},
    "launches": {"count": 3}, "syncs": {"count": 2, "host_ns": 500},
    "scopes": {"step": {"count": 3, "series": {"instances_per_bar": 1,
                        "h2d_bytes": [1024, 2048, 1024], "d2h_bytes": [0, 0, 512]}}},
    "picture": {"bucket_ns": 4000, "lanes": [
      {"name": "host thread 7", "slices": "m0+1@25 u3+2@100 w10+90@50"},
      {"name": "cuda:0 stream 0", "slices": "u4+1@100 k11+80@75"}], "lanes_left_out": 2}})");
}

Report traced(const Json& its_stats) {
  Finding finding = small_finding(Rule::kRoundTrip, "a.cc", 1);
  finding.first_seen = {{0, 200000}};
  Report report = report_of({finding}, "xfertrace");
  report.stats = its_stats;
  return report;
}

std::string page(const Report& report) {
  std::ostringstream out;
  write_html(report, out, {});
  return out.str();
}

std::string diff_page(const Report& before, const Report& after) {
  std::ostringstream out;
  write_html(diff(before, after), out, {});
  return out.str();
}

TEST(WriteHtmlRun, DrawsTheTimeline) {
  const std::string text = page(traced(stats()));
  EXPECT_THAT(text, HasSubstr("<h2>The run</h2>"));
  EXPECT_THAT(text, HasSubstr(">host thread 7</text>"));
  EXPECT_THAT(text, HasSubstr("<title>wait, busy 50 % of 360 us from 40 us</title>"));
  EXPECT_THAT(text, HasSubstr("<i class=\"do-k\"></i>kernel"));
  EXPECT_THAT(text, Not(HasSubstr("<i class=\"do-f\">"))) << "nothing was filled";
  EXPECT_THAT(text, HasSubstr("2 more are left out"));
  // A link to the finding, at 200 of 400 us.
  EXPECT_THAT(text, HasSubstr("<a href=\"#f1\" class=\"mark warning\" style=\"left:58.50%\""));
}

TEST(WriteHtmlRun, DrawsTheSteps) {
  const std::string text = page(traced(stats()));
  EXPECT_THAT(text, HasSubstr("Bytes in each step"));
  EXPECT_THAT(text, HasSubstr("step <span class=\"sub\">3 times, at most 2 KiB</span>"));
  EXPECT_THAT(text, HasSubstr("<title>3: 1 KiB to devices, 512 bytes back</title>"));
}

TEST(WriteHtmlRun, MergedReportsAndSeveralProcesses) {
  Json merged;
  merged["trace"] = stats();
  EXPECT_THAT(page(traced(merged)), HasSubstr("<h2>The run</h2>"));
  Json several;
  several["processes"] = {stats(), stats(), stats()};
  Report report = traced(several);
  report.findings.push_back(small_finding(Rule::kUnusedTransfer, "b.cc", 2));
  report.findings[0].first_seen = {{1, 100000}, {2, 200000}, {9, 1}};
  report.findings[1].first_seen = {{2, 0}};
  const std::string text = page(report);
  const std::size_t second = text.find("The run of process 2");
  const std::size_t third = text.find("The run of process 3");
  ASSERT_LT(second, third);
  EXPECT_THAT(text.substr(0, second), Not(HasSubstr("class=\"mark")));
  EXPECT_THAT(text.substr(second, third - second),
              HasSubstr("<p class=\"marks\"><a href=\"#f1\" class=\"mark warning\" "
                        "style=\"left:37.75%\""));
  const std::string last = text.substr(third);
  EXPECT_LT(last.find("<a href=\"#f2\" class=\"mark"), last.find("<a href=\"#f1\" class=\"mark"))
      << "in the order of time";
}

TEST(WriteHtmlRun, SaysWhatTheRunWas) {
  Json several;
  several["processes"] = {stats(), stats()};
  EXPECT_THAT(page(traced(several)),
              HasSubstr("<p class=\"sub\">the run: 4 ms in 2 processes; uploads 8 KiB</p>"));
  Json merged;
  merged["trace"] = stats();
  EXPECT_THAT(page(traced(merged)), HasSubstr("the run: 2 ms; uploads 4 KiB"));
  EXPECT_THAT(page(report_of({})), Not(HasSubstr("the run:")));
}

TEST(WriteHtmlRun, WithoutARunNothingIsDrawn) {
  for (const Json& none : {Json::object(), Json::parse(R"({"trace": 3})"),
                           Json::parse(R"({"copies": {}, "picture": {"lanes": []}})")})
    EXPECT_THAT(page(traced(none)), Not(HasSubstr("<svg")));
}

TEST(WriteHtmlRun, HostileNamesStayTexts) {
  const std::string hostile = "</text><script>alert(1)</script><img src=x onerror=alert(1)>\"'";
  Json its = stats();
  its["picture"]["lanes"][0]["name"] = hostile;
  its["scopes"][hostile] = its["scopes"]["step"];
  its["picture"]["lanes"][1]["slices"] = "k0+1@100 " + hostile + " x3+4@50 u9+999999@9";
  Report report = traced(its);
  report.findings[0].message = hostile;
  for (const std::string& text : {page(report), diff_page(traced(stats()), report)}) {
    EXPECT_THAT(text, Not(HasSubstr("<img")));
    EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(text, HasSubstr("&lt;/text&gt;&lt;script&gt;"));
  }
}

// Stats of the wrong kinds, anywhere: no crash, no markup.
TEST(WriteHtmlRun, AnyStatsGiveAPage) {
  const Json flat = stats().flatten();
  std::mt19937 random(7);
  const std::vector<Json> wrong = {nullptr,
                                   -1,
                                   1e300,
                                   "<b>",
                                   Json::array(),
                                   Json::object(),
                                   std::uint64_t{0} - 1,
                                   Json::array({Json::object()})};
  for (int i = 0; i < 300; ++i) {
    Json its = stats();
    for (const auto& [path, value] : flat.items()) {
      if (random() % 8 != 0) continue;
      Json::json_pointer place(path);
      if (random() % 3 == 0) place = place.parent_pointer();
      if (its.contains(place)) its[place] = wrong[random() % wrong.size()];
    }
    const std::string text = page(traced(its));
    EXPECT_THAT(text, Not(HasSubstr("<b>")));
    EXPECT_THAT(text, HasSubstr("</html>"));
  }
}

TEST(WriteDiffHtml, ShowsWhatChanged) {
  Finding same = small_finding(Rule::kRoundTrip, "a.cc", 1);
  same.fingerprint = "same";
  same.cost = Cost{2, 200, 0, 0, 0};
  Finding more = same;
  more.cost = Cost{5, 500, 0, 0, 0};
  Finding gone = small_finding(Rule::kUnusedTransfer, "b.cc", 2);
  gone.fingerprint = "gone";
  Finding fresh = small_finding(Rule::kPageableAsync, "c.cc", 3);
  fresh.fingerprint = "fresh";
  Report before = report_of({same, gone}, "xfertrace");
  before.stats = stats();
  Report after = report_of({more, fresh}, "xfertrace");
  after.stats = stats();
  after.stats["copies"]["host-to-device"]["bytes"] = 8192;
  const std::string text = diff_page(before, after);
  EXPECT_THAT(text, HasSubstr("1 new, 1 worse, 0 better, 1 gone, 0 unchanged"));
  EXPECT_THAT(text, HasSubstr("before: 2 times, 200 bytes"));
  EXPECT_THAT(text, HasSubstr("5 times, 500 bytes"));
  EXPECT_THAT(text, HasSubstr("<h2>gone</h2>"));
  EXPECT_THAT(text, HasSubstr("copied to devices</th><td>4 KiB</td><td>8 KiB</td><td>+100"));
  EXPECT_THAT(text, HasSubstr(">Before</h2>"));
  EXPECT_THAT(diff_page(before, before), HasSubstr("Nothing changed."));
  for (const char* attribute : {"src=", "href=\"http", "href=\"/", "@import", "url("})
    EXPECT_THAT(text, Not(HasSubstr(attribute)));
}

}  // namespace
}  // namespace xfer
