// xfercheck-report as a person runs it: what it prints and how it ends.

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "sample.h"

namespace xfer {
namespace {

using testing::HasSubstr;

struct Outcome {
  int code = -1;
  std::string text;
};

class ReportTool : public testing::Test {
 protected:
  Outcome run(const std::string& arguments) const {
    const std::string command =
        "cd " + dir_.path().string() + " && " XFER_REPORT_TOOL " " + arguments + " 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("popen failed");
    Outcome outcome;
    std::array<char, 4096> buffer;
    while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
      outcome.text.append(buffer.data(), size);
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
  }

  void write_report(const std::string& file, const Report& report) const {
    std::ostringstream text;
    write_json(report, text);
    dir_.write(file, text.str());
  }

  TempDir dir_;
};

TEST_F(ReportTool, merges_lint_and_trace) {
  write_report("lint.json", report_of({small_finding(Rule::kTransferInLoop, "a.cc", 5)}));
  Finding measured = small_finding(Rule::kRepeatedTransfer, "a.cc", 5);
  measured.cost = Cost{7, 2048, 0, 0};
  write_report("trace.json", report_of({measured}, "xfertrace"));
  const Outcome outcome = run("trace.json lint.json");
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("[transfer-in-loop]"));
  EXPECT_THAT(outcome.text, HasSubstr("occurred 7 times, 2 KiB"));
  EXPECT_THAT(outcome.text, HasSubstr("xfercheck: 1 finding: 1 warning"));
}

TEST_F(ReportTool, writes_every_format) {
  write_report("lint.json", report_of({full_finding()}));
  for (const char* format : {"text", "json", "sarif", "github", "gitlab", "html"}) {
    const Outcome outcome = run(std::string("lint.json -o out --format ") + format);
    EXPECT_EQ(outcome.code, 0) << format << outcome.text;
    EXPECT_GT(std::filesystem::file_size(dir_.path() / "out"), 100u) << format;
  }
}

TEST_F(ReportTool, bad_input_is_one_line_and_not_zero) {
  dir_.write("bad.json", "{\"schema\": 1}");
  for (const char* arguments : {"bad.json", "missing.json", ". ", "bad.json --format xml", ""}) {
    const Outcome outcome = run(arguments);
    EXPECT_NE(outcome.code, 0) << arguments;
    EXPECT_FALSE(outcome.text.empty()) << arguments;
    EXPECT_LE(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 2) << outcome.text;
  }
  write_report("good.json", report_of({}));
  EXPECT_NE(run("good.json -o no/such/folder/out").code, 0);
}

}  // namespace
}  // namespace xfer
