// The facts about the run in a report: program, device, end, omissions; and the notices before
// all else.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "trace_fixture.h"
#include "xfer/rules/machine.h"

namespace xfer::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

json read_json(const fs::path& file) {
  std::ifstream in(file);
  return json::parse(in, nullptr, false);
}

TEST_F(TraceTest, EachFormatSaysWhatWasRun) {
  const fs::path record = file("kept.xft");
  ASSERT_EQ(xfertrace({"--emulate=2", "--record", record, XFER_CASES, "repeated", "two words"},
                      {{"XFERCHECK_OPTIONS", "emulate_execute=skip"}})
                .exit_code,
            0);
  const std::string command = std::string(XFER_CASES) + " repeated 'two words'";
  const std::string text = xfertrace({"report", record}).out;
  for (const std::string& part :
       {"program:     " + command, std::string("\ndate:        20"), std::string("\nmachine:     "),
        std::string("\nproject:     /"),
        std::string("\ndevices:     2 emulated devices; times are "),
        std::string("\nend:         exit code 0\n"),
        std::string("\nnot covered: 4 kernel launches were not executed; their outputs hold old"),
        std::string("\n  occurred 3 times, 192 KiB, modelled ")})
    EXPECT_THAT(text, HasSubstr(part));
  const std::string page = xfertrace({"report", "--format", "html", record}).out;
  EXPECT_THAT(page, AllOf(HasSubstr("<dt>program</dt>"), HasSubstr("2 emulated devices; times are"),
                          HasSubstr("<dd>exit code 0</dd>"), HasSubstr("modelled host time")));

  report_ = json::parse(xfertrace({"report", "--format", "json", record}).out, nullptr, false);
  const json& run = report_["runs"][0];
  EXPECT_EQ(run["command"], (json{XFER_CASES, "repeated", "two words"}));
  EXPECT_EQ(run["devices"]["kind"], "emulated");
  EXPECT_EQ(run["devices"]["count"], 2);
  EXPECT_EQ(run["exit_code"], 0);
  EXPECT_GT(run["cuda_calls"], 8);
  EXPECT_EQ(report_["findings"][0]["cost"]["modelled"], true);

  const json sarif =
      json::parse(xfertrace({"report", "--format", "sarif", record}).out, nullptr, false);
  const json& invocation = sarif["runs"][0]["invocations"][0];
  EXPECT_EQ(invocation["commandLine"], command);
  EXPECT_EQ(invocation["exitCode"], 0);
  EXPECT_EQ(invocation["properties"]["timesModelled"], true);
}

TEST_F(TraceTest, ACrashIsSaidBeforeTheFindingsAndLaterToo) {
  const fs::path record = file("kept.xft");
  const CommandResult result = xfertrace({"--emulate", "--record", record, XFER_CASES, "segfault"});
  EXPECT_EQ(result.signal, SIGSEGV);
  const std::string told = "the program was killed by SIGSEGV (signal 11) after ";
  const std::string covered = " CUDA calls; the findings cover the run up to that point\n  try: ";
  for (const std::string& text : {result.err, xfertrace({"report", record}).out}) {
    const std::size_t at = text.find(told);
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_LT(at, text.find("[repeated-transfer]"));
    EXPECT_THAT(text, HasSubstr(covered));
    EXPECT_THAT(text, HasSubstr("\nend:         killed by SIGSEGV (signal 11)\n"));
  }
  const json run =
      json::parse(xfertrace({"report", "--format", "json", record}).out, nullptr, false)["runs"][0];
  EXPECT_EQ(run["signal"], 11);
  EXPECT_EQ(run["signal_name"], "SIGSEGV");
  EXPECT_THAT(run["notices"][0]["text"].get<std::string>(), StartsWith(told));
}

TEST_F(TraceTest, AnExitCodeThatIsNotZeroIsSaid) {
  const CommandResult result = xfertrace({"--emulate", XFER_CASES, "exit7"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(result.err, HasSubstr("the program ended with exit code 7 after "));
}

// A user who opens the file later reads on stderr now how the program ended.
TEST_F(TraceTest, WhatGoesToAFileIsSaidOnStderrToo) {
  const CommandResult result = trace_case("segfault");
  EXPECT_THAT(result.err, HasSubstr("killed by SIGSEGV (signal 11) after "));
  EXPECT_EQ(report_["runs"][0]["signal"], 11);
}

TEST_F(TraceTest, AProgramThatNeverCallsCuda) {
  const fs::path record = file("kept.xft");
  const CommandResult result =
      xfertrace({"--emulate", "--record", record, XFER_CASES, "no such case"});
  for (const std::string& text : {result.err, xfertrace({"report", record}).out}) {
    EXPECT_THAT(text, HasSubstr("no CUDA call was seen: nothing was traced\n  try: "));
    EXPECT_THAT(text, HasSubstr("-cudart shared"));
    EXPECT_THAT(text, HasSubstr("xfertrace: nothing was examined\n"));
    EXPECT_THAT(text, HasSubstr("the program ended with exit code 2\n"));
    EXPECT_THAT(text, Not(HasSubstr("no findings")));
  }
}

TEST_F(TraceTest, WithoutAGpuAndWithoutEmulation) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP()
      << "a library with ThreadSanitizer cannot come into a program that was built without";
#endif
  if (this_machine().has_gpu) GTEST_SKIP() << "there is a GPU here";
  CommandResult result = xfertrace({"/bin/true", "x y"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("there is no GPU here, and the program ran without emulated "
                                    "devices: nothing was traced\n"
                                    "  try: xfertrace --emulate /bin/true 'x y'\n"));
  EXPECT_THAT(result.err, AllOf(Not(HasSubstr("no findings")), HasSubstr("devices:     none\n")));
  result = xfertrace({XFER_SEALED_PROGRAM});
  EXPECT_THAT(result.err, AllOf(HasSubstr("statically"), HasSubstr("-cudart shared")));
}

TEST_F(TraceTest, WhyTheTracerCouldNotStartIsInTheReport) {
  trace_case("other_subscriber");
  const json run = report_["runs"][0];
  EXPECT_EQ(run["untraced"], "the tracer could not start");
  EXPECT_THAT(run["notices"][0]["text"].get<std::string>(),
              StartsWith("nothing was traced: another tool uses CUPTI"));
  const CommandResult off =
      xfertrace({"--emulate", XFER_CASES, "repeated"}, {{"XFERCHECK_OPTIONS", "enabled=0"}});
  EXPECT_THAT(off.err, HasSubstr("nothing was traced: XFERCHECK_OPTIONS has enabled=0"));
}

TEST_F(TraceTest, AProgramThatAnotherOneStarted) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP()
      << "a library with ThreadSanitizer cannot come into a program that was built without";
#endif
  const std::string script = std::string(XFER_CASES) + " repeated; exit 5";
  const CommandResult result =
      xfertrace({"--emulate", "--format", "json", "-o", file("r.json"), "/bin/sh", "-c", script});
  EXPECT_EQ(result.exit_code, 5);
  const json run = read_json(file("r.json"))["runs"][0];
  EXPECT_EQ(run["command"][0], XFER_CASES);
  EXPECT_EQ(run["exit_code"], 0) << "its own";
  EXPECT_THAT(run["launched_by"].get<std::string>(),
              AllOf(StartsWith("/bin/sh -c '"), HasSubstr("(exit code 5)")));
}

}  // namespace
}  // namespace xfer::test
