#include <gmock/gmock.h>

#include <sstream>

#include "sample.h"

namespace xfer {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class WriteText : public testing::Test {
 protected:
  std::string text(const Report& report, bool color = false) const {
    std::ostringstream out;
    write_text(report, out, {color, dir_.path()});
    return out.str();
  }

  std::string one(const Finding& finding) const { return text(report_of({finding})); }

  TempDir dir_;
};

TEST_F(WriteText, shows_everything_that_a_finding_has) {
  dir_.write("src/f.cc", kSampleSource);
  EXPECT_EQ(one(full_finding()),
            "src/f.cc:3:2: warning: the result of to is discarded: x stays where it is "
            "[discarded-transfer]\n"
            "     3 |     x.to(torch::kCUDA);\n"
            "       |     ^\n"
            "src/f.cc:2:22: note: x was made here\n"
            "     2 | void f(torch::Tensor x) {\n"
            "       |                      ^\n"
            "  fix: assign it\n"
            "  occurred 12 times, 1.5 KiB, 1.2 ms on the host (could save about 700 us), 500 ns on "
            "the device\n"
            "    #0 f(at::Tensor) src/f.cc:3\n"
            "    #1 main src/main.cc:7\n"
            "\n"
            "xferlint: 1 finding: 1 warning; together: 12 times, 1.5 KiB, 1.2 ms on the host "
            "(could save about 700 us), "
            "500 ns on the device\n");
}

TEST_F(WriteText, tells_shares_of_the_run_and_what_the_bus_did) {
  Report report = report_of({full_finding()}, "xfertrace");
  report.stats = nlohmann::ordered_json::parse(R"({"run_ns": 10000000, "copies": {
      "host-to-device": {"bytes": 4294967296, "device_ns": 500000000,
                         "best_bytes_per_s": 24100000000},
      "device-to-host": {"bytes": 1024, "device_ns": 0}}})");
  std::string out = text(report);
  EXPECT_THAT(out,
              HasSubstr("1.2 ms on the host (could save about 700 us, 7.0 % of the run), 500 ns"));
  EXPECT_THAT(out, EndsWith("\nxfertrace: the run: 10 ms; uploads 4 GiB at 8.6 GB/s, the fastest "
                            "24.1 GB/s; downloads 1 KiB\n"));
  report.stats = {{"processes", {report.stats, report.stats}}};
  out = text(report);
  EXPECT_THAT(out, HasSubstr(", 3.5 % of the run)"));
  EXPECT_THAT(out, EndsWith("the run: 20 ms in 2 processes; uploads 8 GiB at 8.6 GB/s, the fastest "
                            "24.1 GB/s; downloads 2 KiB\n"));
  // A file's statistics may have any type.
  report.stats =
      nlohmann::ordered_json::parse(R"({"run_ns": "x", "copies": 7, "processes": {"a": 1}})");
  EXPECT_THAT(text(report), Not(HasSubstr("the run")));
}

TEST_F(WriteText, tells_how_long_devices_were_idle) {
  Report report = report_of({}, "xfertrace");
  report.stats = nlohmann::ordered_json::parse(R"({"run_ns": 10000000, "copies": {},
      "devices": [{"device": 0, "in_use_ns": 8000000, "idle_ns": 2000000},
                  {"device": 1, "in_use_ns": 0}, 7]})");
  EXPECT_THAT(text(report), EndsWith("the run: 10 ms; cuda:0 idle 25 % of 8 ms\n"));
  for (int device = 1; device < 8; ++device)
    report.stats["devices"].push_back(report.stats["devices"][0]);
  EXPECT_THAT(text(report), EndsWith("cuda:0 idle 25 % of 8 ms and 6 more\n"));
}

TEST_F(WriteText, tells_shares_of_the_step) {
  Finding finding = full_finding();
  finding.step = {"ProfilerStep", 12, 28'000'000, 700'000};
  EXPECT_THAT(one(finding), HasSubstr("(could save about 700 us, 2.5 % of each ProfilerStep), "));
  finding.step->name.clear();
  EXPECT_THAT(one(finding), HasSubstr(", 2.5 % of the time from one to the next), "));
  finding.step->saving_ns = 2;
  EXPECT_THAT(one(finding), HasSubstr("(could save about 700 us), "));
}

TEST_F(WriteText, needs_neither_source_nor_place) {
  EXPECT_THAT(one(full_finding()), Not(HasSubstr("^")));
  Finding finding = small_finding(Rule::kRoundTrip, "", 0);
  EXPECT_THAT(one(finding), HasSubstr("f: warning: m [round-trip]\n"));
  finding.location.function.clear();
  EXPECT_THAT(one(finding), HasSubstr("(unknown place): warning: m"));
}

TEST_F(WriteText, ends_with_a_summary_line) {
  EXPECT_EQ(text(report_of({})), "xferlint: no findings\n");
  const std::string all =
      text(report_of({small_finding(Rule::kRoundTrip, "a", 1),
                      small_finding(Rule::kRoundTrip, "a", 2, Severity::kAdvice),
                      small_finding(Rule::kMissingTransfer, "a", 3, Severity::kError),
                      small_finding(Rule::kRoundTrip, "a", 4)}));
  EXPECT_THAT(all, EndsWith("\nxferlint: 4 findings: 1 error, 2 warnings, 1 advice\n"));
}

TEST_F(WriteText, puts_the_caret_under_the_column) {
  dir_.write("a.cc", "größe.to(d);\n");
  Finding finding = small_finding(Rule::kRoundTrip, "a.cc", 1);
  finding.location.column = 9;  // bytes: ö and ß have two each
  EXPECT_THAT(one(finding), HasSubstr(" | größe.to(d);\n       |       ^\n"));
  finding.location.column = 500;
  EXPECT_THAT(one(finding), HasSubstr("       |             ^\n"));
}

TEST_F(WriteText, cuts_long_lines_around_the_column) {
  dir_.write("a.cc", std::string(1000, 'a') + "HERE" + std::string(1000, 'b') + "\n");
  Finding finding = small_finding(Rule::kRoundTrip, "a.cc", 1);
  finding.location.column = 1001;
  std::istringstream lines(one(finding));
  std::string headline, source, caret;
  std::getline(lines, headline);
  std::getline(lines, source);
  std::getline(lines, caret);
  EXPECT_LT(source.size(), 150u);
  ASSERT_NE(source.find("HERE"), std::string::npos);
  EXPECT_EQ(caret.find('^'), source.find("HERE"));
}

TEST_F(WriteText, hostile_text_cannot_drive_the_terminal) {
  dir_.write("a.cc", "\x1b]0;owned\x07\n");
  Finding finding = small_finding(Rule::kRoundTrip, "a.cc", 1);
  finding.message = "x\x1b[2Jy\nz";
  const std::string out = one(finding);
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_EQ(out.find('\x07'), std::string::npos);
  EXPECT_THAT(out, HasSubstr("x\\x1b[2Jy z [round-trip]\n"));
}

TEST_F(WriteText, folds_stacks) {
  Finding finding = small_finding(Rule::kRoundTrip, "a.cc", 1);
  finding.stack = {{"", 0, 0, "cudaMemcpy"}, {"", 0, 0, "?"}, {"", 0, 0, "?"}};
  for (int i = 0; i < 40; ++i) finding.stack.push_back({"a.cc", 1, 0, "recurse"});
  for (unsigned i = 1; i <= 40; ++i) finding.stack.push_back({"b.cc", i, 0, "deep"});
  const std::string out = one(finding);
  EXPECT_THAT(out, HasSubstr("    #0 cudaMemcpy (and 2 frames without source)\n"
                             "    #3 recurse a.cc:1 (40 times)\n"
                             "    #43 deep b.cc:1\n"));
  EXPECT_THAT(out, HasSubstr("#56 deep b.cc:14\n    ... 26 more frames\n"));
}

TEST_F(WriteText, colors_only_when_asked) {
  EXPECT_EQ(one(full_finding()).find('\x1b'), std::string::npos);
  EXPECT_THAT(text(report_of({full_finding()}), true), HasSubstr("\x1b[1;35mwarning:\x1b[0m"));
}

}  // namespace
}  // namespace xfer
