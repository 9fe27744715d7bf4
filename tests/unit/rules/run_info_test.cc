// The facts about a run in reports, in every format; and the notices that come first.

#include <gmock/gmock.h>

#include <csignal>
#include <sstream>

#include "sample.h"
#include "xfer/rules/machine.h"

namespace xfer {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

RunInfo traced_run() {
  RunInfo run = new_run(RunKind::kTrace, "xfertrace");
  run.command = {"./app", "--steps", "10 20", "it's"};
  run.project = "/home/me/heat";
  run.working_directory = "/home/me/heat/build";
  run.start_ns = 1'795'465'862'000'000'000;
  run.cpu = "AMD EPYC 7B13, 2 threads";
  run.os = "Debian GNU/Linux 12 (bookworm), Linux 6.1";
  run.device = DeviceKind::kEmulated;
  run.device_count = 2;
  run.exit_code = 0;
  run.cuda_calls = 12;
  run.not_run = {"640 kernel launches were not executed; their outputs hold old data (2 kernels)"};
  return run;
}

RunInfo lint_run() {
  RunInfo run = new_run(RunKind::kLint, "xferlint");
  run.command = {"xferlint", "-p", "build"};
  run.project = "/home/me/heat";
  run.start_ns = 1'795'465'862'000'000'000;
  run.files = 12;
  return run;
}

Report report_with(RunInfo run, std::vector<Finding> findings = {}) {
  Report report = report_of(std::move(findings), run.tool);
  report.runs = {std::move(run)};
  return report;
}

std::string text_of(const Report& report) {
  std::ostringstream out;
  write_text(report, out, {});
  return out.str();
}

std::string html_of(const Report& report) {
  std::ostringstream out;
  write_html(report, out, {});
  return out.str();
}

std::string json_of(const Report& report) {
  std::ostringstream out;
  write_json(report, out);
  return out.str();
}

json sarif_of(const Report& report) {
  std::ostringstream out;
  write_sarif(report, out);
  return json::parse(out.str())["runs"][0];
}

std::vector<std::string> texts_of(const RunInfo& run) {
  std::vector<std::string> texts;
  for (const RunNotice& notice : notices(run)) texts.push_back(notice.text);
  return texts;
}

TEST(RunInfo, TextSaysAllOfARun) {
  EXPECT_EQ(text_of(report_with(traced_run())),
            "xfertrace: no findings\n\n"
            "program:     ./app --steps '10 20' 'it'\\''s'\n"
            "project:     /home/me/heat\n"
            "folder:      /home/me/heat/build\n"
            "date:        2026-11-23 20:31:02 UTC\n"
            "machine:     AMD EPYC 7B13, 2 threads, Debian GNU/Linux 12 (bookworm), Linux 6.1\n"
            "made by:     xfertrace " XFER_TEST_VERSION
            "\n"
            "devices:     2 emulated devices; times are modelled, not measured\n"
            "end:         exit code 0\n"
            "CUDA calls:  12\n"
            "not covered: 640 kernel launches were not executed; their outputs hold old data "
            "(2 kernels)\n");
}

TEST(RunInfo, TextSaysThatALintRunRanNothing) {
  const std::string text = text_of(report_with(lint_run()));
  EXPECT_THAT(text, StartsWith("xferlint: no findings\n\ncommand:     xferlint -p build\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("\nproject:     /home/me/heat\n"),
                          HasSubstr("\nfiles:       12 files checked\n"),
                          HasSubstr("\nnot run:     nothing was run: the findings are from the "
                                    "source alone\n")));
}

TEST(RunInfo, WhatAnOldTraceLacksIsNotRecorded) {
  const std::string text = text_of(report_with(new_run(RunKind::kTrace, "xfertrace")));
  for (const char* label : {"program:", "project:", "date:", "machine:", "devices:", "end:"})
    EXPECT_THAT(text, testing::ContainsRegex(std::string("\n") + label + " +not recorded\n"));
}

TEST(RunInfo, HtmlSaysAllOfARun) {
  const std::string page = html_of(report_with(traced_run()));
  for (const RunRow& row : rows(traced_run())) {
    EXPECT_THAT(page, HasSubstr("<dt>" + row.label + "</dt>"));
    if (row.text.find('\'') == std::string::npos) {
      EXPECT_THAT(page, HasSubstr("<dd>" + row.text + "</dd>"));
    }
  }
}

TEST(RunInfo, OfAnotherToolsTraceNamesTheTool) {
  RunInfo run = new_run(RunKind::kTrace, "xfertrace");
  run.recorded_by = "torch.profiler";
  run.host = "node7";
  run.rank = 3;
  run.world_size = 8;
  const std::string text = text_of(report_with(run));
  EXPECT_THAT(text, AllOf(HasSubstr("recorded by: torch.profiler\n"),
                          HasSubstr("rank:        3 of 8\n"), HasSubstr("machine:     node7\n")));
  // It has no program, and no end.
  EXPECT_THAT(text, AllOf(Not(HasSubstr("program:")), Not(HasSubstr("end:"))));
}

TEST(RunInfo, JsonKeepsAllOfARun) {
  RunInfo failed = traced_run();
  failed.exit_code.reset();
  failed.signal = SIGSEGV;
  failed.untraced = Untraced::kTracerFailed;
  failed.tracer_problem = "CUPTI refuses";
  failed.static_runtime = failed.breaks_off = true;
  failed.launched_by = "bash run.sh (exit code 3)";
  failed.host = "node7";
  failed.rank = 3;
  failed.world_size = 8;
  failed.recorded_by = "Nsight Systems";
  RunInfo real = traced_run();
  real.device = DeviceKind::kReal;
  real.device_names = {"NVIDIA H200"};
  real.driver = "580.65.06";
  RunInfo lint = lint_run();
  lint.not_parsed = {"a.cc: 'x.h' file not found"};
  Report report = report_with(traced_run());
  report.runs = {traced_run(), failed, real, lint, new_run(RunKind::kTrace, "xfertrace")};
  const std::string text = json_of(report);
  std::istringstream in(text);
  EXPECT_EQ(json_of(read_json(in, "in.json")), text);

  const json run = json::parse(text)["runs"][0];
  EXPECT_EQ(run["command"], (json{"./app", "--steps", "10 20", "it's"}));
  EXPECT_EQ(run["start"]["utc"], "2026-11-23T20:31:02Z");
  EXPECT_EQ(run["devices"]["kind"], "emulated");
  EXPECT_EQ(run["devices"]["times_modelled"], true);
  EXPECT_EQ(run["exit_code"], 0);
  EXPECT_TRUE(run["signal"].is_null());
  EXPECT_EQ(run["program_was_run"], true);
  EXPECT_EQ(json::parse(text)["runs"][3]["program_was_run"], false);
  EXPECT_TRUE(json::parse(text)["runs"][4]["project"].is_null());
}

TEST(RunInfo, SarifHasItInTheStandardsPlaces) {
  const json run = sarif_of(report_with(traced_run()));
  const json& invocation = run["invocations"][0];
  EXPECT_EQ(invocation["commandLine"], "./app --steps '10 20' 'it'\\''s'");
  EXPECT_EQ(invocation["arguments"], (json{"--steps", "10 20", "it's"}));
  EXPECT_EQ(invocation["startTimeUtc"], "2026-11-23T20:31:02Z");
  EXPECT_EQ(invocation["exitCode"], 0);
  EXPECT_EQ(invocation["workingDirectory"]["uri"], "file:///home/me/heat/build");
  EXPECT_EQ(invocation["executionSuccessful"], true);
  EXPECT_THAT(invocation["machine"].get<std::string>(), StartsWith("AMD EPYC 7B13"));
  EXPECT_EQ(invocation["properties"]["device"]["kind"], "emulated");
  EXPECT_EQ(invocation["properties"]["timesModelled"], true);
  EXPECT_EQ(run["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file:///home/me/heat/");
  EXPECT_THAT(invocation["toolExecutionNotifications"][0]["message"]["text"].get<std::string>(),
              HasSubstr("640 kernel launches were not executed"));

  RunInfo crashed = traced_run();
  crashed.exit_code.reset();
  crashed.signal = SIGSEGV;
  const json other = sarif_of(report_with(crashed))["invocations"][0];
  EXPECT_EQ(other["executionSuccessful"], false);
  EXPECT_EQ(other["exitSignalName"], "SIGSEGV");
  EXPECT_EQ(other["exitSignalNumber"], 11);
  EXPECT_FALSE(other.contains("exitCode"));
  EXPECT_EQ(other["toolExecutionNotifications"][0]["level"], "error");
}

TEST(RunInfo, ACrashIsSaidFirst) {
  RunInfo run = traced_run();
  run.exit_code.reset();
  run.signal = SIGSEGV;
  const std::string told =
      "the program was killed by SIGSEGV (signal 11) after 12 CUDA calls; the findings cover the "
      "run up to that point";
  const Report report = report_with(run);
  EXPECT_THAT(text_of(report), StartsWith("xfertrace: " + told + "\n  try: "));
  EXPECT_THAT(text_of(report),
              HasSubstr("xfertrace: nothing found, but not everything was examined\n"));
  const std::string page = html_of(report);
  ASSERT_NE(page.find(told), std::string::npos);
  EXPECT_LT(page.find(told), page.find("Nothing found, but not everything was examined"));
  std::ostringstream github;
  write_github(report, github);
  EXPECT_THAT(github.str(), StartsWith("::warning title=xfertrace::" + told));
}

TEST(RunInfo, WhatIsSaidOfEachEnd) {
  RunInfo run = traced_run();
  EXPECT_THAT(texts_of(run), ElementsAre());
  run.exit_code = 3;
  EXPECT_THAT(texts_of(run), ElementsAre("the program ended with exit code 3 after 12 CUDA calls"));
  run.exit_code.reset();
  run.breaks_off = true;
  EXPECT_THAT(texts_of(run), ElementsAre(StartsWith("the trace breaks off: ")));
  run = traced_run();
  run.cuda_calls = 1;
  run.exit_code.reset();
  run.signal = SIGKILL;
  EXPECT_THAT(texts_of(run), ElementsAre(HasSubstr("SIGKILL (signal 9) after 1 CUDA call;")));
  EXPECT_THAT(notices(run)[0].next, HasSubstr("dmesg"));
  run = traced_run();
  run.cuda_calls = 0;
  EXPECT_THAT(texts_of(run), ElementsAre(HasSubstr("started CUDA, but allocated, copied and")));
}

TEST(RunInfo, WhatIsSaidWhereNothingWasTraced) {
  RunInfo run = traced_run();
  run.cuda_calls = 0;
  run.device = DeviceKind::kNotRecorded;
  run.untraced = Untraced::kNoGpu;
  const std::string command = "xfertrace --emulate ./app --steps '10 20' 'it'\\''s'";
  EXPECT_THAT(texts_of(run), ElementsAre(StartsWith("there is no GPU here")));
  EXPECT_EQ(notices(run)[0].next, command);
  EXPECT_THAT(text_of(report_with(run)), AllOf(HasSubstr("xfertrace: nothing was examined\n"),
                                               HasSubstr("devices:     none\n")));
  run.static_runtime = true;
  EXPECT_THAT(texts_of(run), ElementsAre(HasSubstr("statically")));
  EXPECT_THAT(notices(run)[0].next, AllOf(HasSubstr("-cudart shared"), HasSubstr(command)));

  run.untraced = Untraced::kNoCudaCall;
  EXPECT_THAT(texts_of(run), ElementsAre(StartsWith("no CUDA call was seen")));
  EXPECT_THAT(notices(run)[0].next, HasSubstr(command));
  run.device = DeviceKind::kEmulated;
  EXPECT_THAT(notices(run)[0].next, HasSubstr("-cudart shared"));
  run.exit_code = 1;
  EXPECT_THAT(texts_of(run), ElementsAre(StartsWith("no CUDA call was seen"),
                                         "the program ended with exit code 1"));
  run.exit_code.reset();
  run.signal = SIGABRT;
  EXPECT_THAT(texts_of(run), ElementsAre("the program was killed by SIGABRT (signal 6) before its "
                                         "first CUDA call"));
  run.untraced = Untraced::kTracerFailed;
  run.tracer_problem = "CUPTI refuses";
  EXPECT_THAT(texts_of(run)[0], "nothing was traced: CUPTI refuses");
  EXPECT_THAT(text_of(report_with(run)), Not(HasSubstr("no findings")));
}

TEST(RunInfo, WhatIsSaidOfFilesThatDidNotParse) {
  RunInfo run = lint_run();
  run.not_parsed = {"a.cc: 'x.h' file not found"};
  const std::string text = text_of(report_with(run));
  EXPECT_THAT(text, StartsWith("xferlint: 1 of 12 files did not parse, so findings may be missing: "
                               "a.cc: 'x.h' file not found\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("xferlint: nothing found, but not everything was examined\n"),
                          HasSubstr("\nnot parsed:  a.cc: 'x.h' file not found\n")));
}

TEST(RunInfo, AMergedReportListsEachRun) {
  const Report merged = merge(report_with(lint_run()), report_with(traced_run()));
  const std::string text = text_of(merged);
  EXPECT_LT(text.find("xferlint -p build"), text.find("./app --steps"));
  EXPECT_EQ(json::parse(json_of(merged))["runs"].size(), 2U);
  EXPECT_EQ(sarif_of(merged)["invocations"].size(), 2U);
  EXPECT_THAT(html_of(merged), AllOf(HasSubstr("xferlint -p build"), HasSubstr("./app --steps")));
  Report many = report_with(traced_run());
  many.runs.resize(20, traced_run());
  EXPECT_THAT(text_of(many), HasSubstr("\n... and 12 more runs\n"));
}

TEST(RunInfo, CostsOfEmulatedDevicesAreModelled) {
  Finding finding = full_finding();
  finding.cost->modelled = true;
  const Report report = report_with(traced_run(), {finding});
  const std::string cost =
      "occurred 12 times, 1.5 KiB, modelled 1.2 ms on the host (could save about 700 us), modelled "
      "500 ns on the device";
  EXPECT_THAT(text_of(report), HasSubstr("\n  " + cost + "\n"));
  EXPECT_THAT(html_of(report), HasSubstr(cost));
  EXPECT_EQ(json::parse(json_of(report))["findings"][0]["cost"]["modelled"], true);
  EXPECT_EQ(sarif_of(report)["results"][0]["properties"]["cost"]["modelled"], true);
}

TEST(RunInfo, HostileTextsStayTexts) {
  RunInfo run = traced_run();
  const std::string hostile = "</dd><script>alert(1)</script>\x1b[2J\n";
  run.command = {hostile};
  run.project = run.cpu = run.tracer_problem = hostile;
  run.not_run = {hostile};
  run.untraced = Untraced::kTracerFailed;
  const Report report = report_with(run);
  EXPECT_THAT(html_of(report), Not(HasSubstr("<script>alert")));
  EXPECT_EQ(text_of(report).find('\x1b'), std::string::npos);
}

TEST(Machine, SaysWhatItsFilesSay) {
  const TempDir dir;
  EXPECT_FALSE(this_machine(dir.path()).has_gpu);
  dir.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nflags\t: fpu\n");
  dir.write("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
  dir.write("proc/driver/nvidia/gpus/0000:01:00.0/information",
            "Model: \t\t NVIDIA H200\nIRQ:   1\n");
  dir.write("proc/driver/nvidia/gpus/0000:02:00.0/information", "no model here\n");
  dir.write("sys/module/nvidia/version", "580.65.06\n");
  const Machine machine = this_machine(dir.path());
  EXPECT_THAT(machine.cpu, StartsWith("Some CPU @ 2 GHz"));
  EXPECT_THAT(machine.os, StartsWith("Debian GNU/Linux 12, Linux "));
  EXPECT_THAT(machine.gpus, ElementsAre("NVIDIA H200"));
  EXPECT_EQ(machine.driver, "580.65.06");
  EXPECT_TRUE(machine.has_gpu);
}

}  // namespace
}  // namespace xfer
