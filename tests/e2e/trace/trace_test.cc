// xfertrace from end to end: real programs, built by nvcc, on emulated devices. The tests check
// what a person sees: findings on the right line, silence where nothing is wrong, exit codes,
// messages.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>
#include <set>

#include "trace_fixture.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(TraceTest, RepeatedUpload) {
  const CommandResult result = trace_case("repeated");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "repeated done\n");
  expect_only("repeated-transfer", "repeated");
  EXPECT_EQ(report_["findings"][0]["cost"]["count"], 3);
  EXPECT_EQ(report_["findings"][0]["cost"]["bytes"], 3 * 65536);
}

// AddressSanitizer wants to be the first library, and ends a program where it is not.
TEST_F(TraceTest, AProgramWithAddressSanitizer) {
  if (std::string_view(XFER_ASAN_CASES).empty()) GTEST_SKIP() << "all programs have it here";
  setenv("ASAN_OPTIONS", "protect_shadow_gap=0", 0);  // CUDA maps memory there
  const CommandResult result = trace({XFER_ASAN_CASES, "repeated"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "repeated done\n");
  expect_only("repeated-transfer", "repeated");
}

TEST_F(TraceTest, AProgramWithThreadSanitizer) {
  if (std::string_view(XFER_TSAN_CASES).empty())
    GTEST_SKIP() << "all programs are built alike here";
  const CommandResult result = trace({XFER_TSAN_CASES, "repeated"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "repeated done\n");
  EXPECT_EQ(result.err.find("WARNING: ThreadSanitizer"), std::string::npos) << result.err;
  expect_only("repeated-transfer", "repeated");
}

TEST_F(TraceTest, RoundTrip) {
  trace_case("round_trip");
  expect_only("round-trip", "round_trip");
}

TEST_F(TraceTest, RoundTripOfABufferThatTheKernelsCodeOnlyReads) {
  trace_case("only_read");
  expect_only("round-trip", "only_read");
}

TEST_F(TraceTest, UnusedUpload) {
  trace_case("unused");
  expect_only("unused-transfer", "unused");
}

TEST_F(TraceTest, RepeatedAsynchronousUploadFromPinnedMemory) {
  trace_case("async_repeated");
  expect_only("repeated-transfer", "async_repeated");
}

TEST_F(TraceTest, RoundTripThroughAnAsynchronousDownload) {
  trace_case("async_round_trip");
  expect_only("round-trip", "async_round_trip");
}

TEST_F(TraceTest, RepeatedPitchedUpload) {
  trace_case("pitched");
  expect_only("repeated-transfer", "pitched");
}

TEST_F(TraceTest, NamesBuffersAsTheProgramDoes) {
  EXPECT_EQ(trace_case("named").out, "named done\n");
  ASSERT_EQ(findings(), 2U) << report_.dump(1);
  const unsigned named = find_mark("named", XFER_CASES_SOURCES).line;
  for (const json& finding : report_["findings"])
    EXPECT_EQ(finding.dump().find(R"(the buffer is \"weights\")") != std::string::npos,
              finding["location"]["line"] == named)
        << finding.dump(1);
}

TEST_F(TraceTest, SilentWhereNothingIsWrong) {
  for (const char* name : {"fresh", "into_array", "reset", "hidden_writer", "follows_pointers",
                           "computed", "mistakes", "threads", "late_destructor"}) {
    const CommandResult result = trace_case(name);
    EXPECT_EQ(result.exit_code, 0) << name << result.err;
    EXPECT_EQ(findings(), 0U) << name << report_.dump(1);
    EXPECT_GT(report_.value("stats", json::object()).size(), 0U) << name;
  }
}

TEST_F(TraceTest, TheTextReportGoesToStderr) {
  const CommandResult result = xfertrace({"--emulate", XFER_CASES, "repeated"});
  EXPECT_EQ(result.out, "repeated done\n");
  EXPECT_THAT(result.err,
              HasSubstr("cases.cu:" + std::to_string(find_mark("repeated", "cases.cu").line)));
  EXPECT_THAT(result.err, HasSubstr("[repeated-transfer]"));
}

TEST_F(TraceTest, TheProgramsExitCodeIsPassedThrough) {
  EXPECT_EQ(trace_case("exit7").exit_code, 7);
  EXPECT_EQ(findings(), 1U);
}

TEST_F(TraceTest, ExitCodesOfFindings) {
  EXPECT_EQ(xfertrace({"--emulate", "--error-exitcode", "5", XFER_CASES, "repeated"}).exit_code, 5);
  EXPECT_EQ(xfertrace({"--emulate", "--error-exitcode", "5", XFER_CASES, "fresh"}).exit_code, 0);
  EXPECT_EQ(xfertrace({"--emulate", "--fail-on", "any", XFER_CASES, "repeated"}).exit_code, 1);
  EXPECT_EQ(xfertrace({"--emulate", "--fail-on", "round-trip", XFER_CASES, "repeated"}).exit_code,
            0);
}

TEST_F(TraceTest, EndsThatRunNoExitHandlers) {
  EXPECT_EQ(trace_case("_exit3").exit_code, 3);
  expect_only("repeated-transfer", "repeated");
  EXPECT_EQ(trace_case("quick_exit").exit_code, 4);
  expect_only("repeated-transfer", "repeated");
}

TEST_F(TraceTest, ThreadsThatEndInUnusualWays) {
  for (const char* name : {"cancelled", "main_thread_gone"}) {
    // NVIDIA's driver lets a thread be cancelled while it starts.
    const CommandResult result = trace({XFER_CASES, name}, 1, "emulate_schedule=eager");
    EXPECT_EQ(result.exit_code, 0) << name << result.signal << result.err;
    expect_only("repeated-transfer", "repeated_there");
  }
}

TEST_F(TraceTest, CopiesOfAGraphAreCounted) {
  const CommandResult result = trace_case("graph");
  EXPECT_EQ(findings(), 0U) << report_.dump(1);
  EXPECT_EQ(report_["stats"]["graph_copies"]["count"], 6) << result.err;
  EXPECT_EQ(report_["stats"]["copies"]["host-to-device"]["bytes"], 3 * 65536);
  EXPECT_EQ(report_["stats"]["copies"]["device-to-host"]["count"], 3);
  EXPECT_THAT(
      result.err,
      HasSubstr(
          "graphs made 6 copies (384 KiB), which are not checked for repeats and unused results"));
}

TEST_F(TraceTest, NothingTracedIsNotNothingFound) {
  const CommandResult result = xfertrace({"--emulate", XFER_CASES, "no such case"});
  EXPECT_THAT(result.err, HasSubstr("nothing was traced"));
  EXPECT_THAT(result.err, Not(HasSubstr("no findings")));
}

TEST_F(TraceTest, CrashesKeepTheFindingsSoFar) {
  const std::pair<const char*, int> ends[] = {
      {"abort", SIGABRT}, {"segfault", SIGSEGV}, {"terminated", SIGTERM}, {"kill9", SIGKILL}};
  for (const auto& [name, signal] : ends) {
    const CommandResult result = trace_case(name);
    EXPECT_EQ(result.signal, signal) << name << result.err;
    EXPECT_THAT(result.err, HasSubstr("(signal " + std::to_string(signal) + ") after ")) << name;
    expect_only("repeated-transfer", "repeated");
  }
}

TEST_F(TraceTest, ProgramsThatCannotBeRun) {
  CommandResult result = xfertrace({"/no/such/program"});
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_EQ(lines(result.err), 1U) << result.err;
  EXPECT_THAT(result.err, HasSubstr("/no/such/program"));
  EXPECT_EQ(xfertrace({"no-such-program-anywhere"}).exit_code, 127);
  result = xfertrace({XFER_CASES_SOURCE});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_EQ(lines(result.err), 1U) << result.err;
  EXPECT_EQ(xfertrace({folder_.string()}).exit_code, 126);
}

TEST_F(TraceTest, WrongUsage) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                {"--bogus", "x"},
                                                {"--format", "flame", "/bin/true"},
                                                {"--suppressions", "f", "/bin/true"},
                                                {"diff", "a", "b"},
                                                {"report", "/no/such.xft"}}) {
    const CommandResult result = xfertrace(words);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(words);
    EXPECT_EQ(lines(result.err), 1U) << result.err;
  }
}

TEST_F(TraceTest, AnOutputThatCannotBeWrittenIsSaidBeforeTheRun) {
  for (const char* option : {"-o", "--record"}) {
    const CommandResult result =
        xfertrace({"--emulate", option, "/no/such/folder/file", XFER_CASES, "repeated"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "") << "the program did not run";
    EXPECT_EQ(lines(result.err), 1U) << result.err;
    EXPECT_THAT(result.err, HasSubstr("/no/such/folder/file cannot be written: No such file"));
  }
  const CommandResult missing = xfertrace({"--emulate", "-o", file("new.txt"), "/no/such/program"});
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_FALSE(fs::exists(file("new.txt")));
}

TEST_F(TraceTest, FindingsAreKeptWhenTheOutputFails) {
  const CommandResult result =
      xfertrace({"--emulate", "--format", "json", "-o", "/dev/full", XFER_CASES, "repeated"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("/dev/full cannot be written: No space left on device"));
  EXPECT_THAT(result.err, HasSubstr("[repeated-transfer]"));
}

TEST_F(TraceTest, NoTemporaryFolder) {
  const CommandResult result =
      xfertrace({"--emulate", XFER_CASES, "repeated"}, {{"TMPDIR", "/no/such/folder"}});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "xfertrace: TMPDIR: /no/such/folder is not a folder; the trace needs one\n");
}

TEST_F(TraceTest, TracesThatCannotBeRead) {
  const fs::path good = file("good.xft");
  ASSERT_EQ(xfertrace({"--emulate", "--record", good, XFER_CASES, "repeated"}).exit_code, 0);
  const fs::path bad = file("bad.xft");
  const auto refused = [&](const std::string& why) {
    const CommandResult result = xfertrace({"report", bad});
    EXPECT_EQ(result.exit_code, 2) << why;
    EXPECT_EQ(lines(result.err), 1U) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(why));
  };
  refused("no such file");
  std::ofstream(bad).flush();
  refused("is empty");
  std::ofstream(bad) << "no trace, but some text of more than a header's length";
  refused("is not a trace file");
  fs::remove(bad);
  fs::create_directory(bad);
  refused("is a directory");
}

// A part of it is lost: what is left is reported, and it is said.
TEST_F(TraceTest, DamagedTraces) {
  const fs::path good = file("good.xft");
  ASSERT_EQ(xfertrace({"--emulate", "--record", good, XFER_CASES, "repeated"}).exit_code, 0);
  const auto size = fs::file_size(good);
  const fs::path cut = file("cut.xft");
  fs::copy_file(good, cut);
  fs::resize_file(cut, size - 1);
  CommandResult result = xfertrace({"report", cut});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(lines(result.err), 1U) << result.err;
  EXPECT_THAT(result.err, HasSubstr("cut.xft: cut off or damaged in the block at byte"));
  EXPECT_THAT(result.out, HasSubstr("[repeated-transfer]"));

  fs::resize_file(cut, 100);
  result = xfertrace({"report", cut});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("cut off or damaged"));

  const fs::path noise = file("noise.xft");
  fs::copy_file(good, noise);
  std::ofstream(noise, std::ios::app) << std::string(3000, '#');
  result = xfertrace({"report", good, noise});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("noise.xft: no block at byte " + std::to_string(size)));
  EXPECT_THAT(result.out, HasSubstr("[repeated-transfer]"));
}

TEST_F(TraceTest, ProgramsWithoutCuda) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP()
      << "a library with ThreadSanitizer cannot come into a program that was built without";
#endif
  const CommandResult result = xfertrace({"/bin/true"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("nothing was traced"));
  EXPECT_EQ(xfertrace({"/bin/false"}).exit_code, 1);
}

TEST_F(TraceTest, AForkedChildLeavesTheTraceAlone) {
  const CommandResult result = trace_case("fork");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_only("repeated-transfer", "repeated");
  EXPECT_EQ(report_["findings"][0]["cost"]["count"], 3);
}

TEST_F(TraceTest, ProcessesAreReportedTogether) {
  const CommandResult result = trace_case("exec");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_only("repeated-transfer", "repeated");
  EXPECT_EQ(report_["findings"][0]["cost"]["count"], 6);
}

TEST_F(TraceTest, RecordAndReport) {
  const fs::path record = file("kept.xft");
  ASSERT_EQ(xfertrace({"--emulate", "--record", record, XFER_CASES, "round_trip"}).exit_code, 0);
  ASSERT_TRUE(fs::exists(record));
  const CommandResult result = xfertrace({"report", "--format", "json", record});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  report_ = json::parse(result.out, nullptr, false);
  expect_only("round-trip", "round_trip");
  EXPECT_THAT(xfertrace({"report", "--format", "sarif", record}).out, HasSubstr("2.1.0"));
  EXPECT_THAT(xfertrace({"report", "--format", "html", record}).out, HasSubstr("<html"));
}

TEST_F(TraceTest, ATimelineForPerfetto) {
  const CommandResult result =
      xfertrace({"--emulate", "--format", "perfetto", XFER_CASES, "repeated"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::size_t begin = result.out.find('{');
  ASSERT_NE(begin, std::string::npos) << result.out;
  const json timeline = json::parse(result.out.substr(begin), nullptr, false);
  ASSERT_FALSE(timeline.is_discarded()) << result.out;
  std::map<std::string, int> slices, names;
  std::multiset<json> arrows;
  for (const json& event : timeline["traceEvents"]) {
    const std::string phase = event["ph"];
    if (phase == "X") {
      ++slices[event["name"]];
      EXPECT_GE(event["dur"].get<double>(), 0) << event;
    }
    if (phase == "M") ++names[event["args"]["name"]];
    if (phase == "s") arrows.insert(event["id"]);
    if (phase == "f") {
      const auto start = arrows.find(event["id"]);
      ASSERT_NE(start, arrows.end()) << "an arrow from nowhere: " << event;
      arrows.erase(start);
    }
  }
  EXPECT_EQ(slices["upload"], 2 * 4) << "the calls, and the device's work";
  EXPECT_EQ(slices["repeated-transfer"], 1);
  EXPECT_EQ(names["cuda:0"], 1);
  EXPECT_EQ(names["findings"], 1);
  EXPECT_TRUE(arrows.empty()) << "work that the device never did";
}

TEST_F(TraceTest, Suppressions) {
  const auto run = [&](const std::string& text) {
    std::ofstream(file("team.supp")) << text;
    return xfertrace({"--emulate", "--fail-on", "any", "--suppressions", file("team.supp"),
                      XFER_CASES, "repeated"});
  };
  EXPECT_EQ(run("repeated-transfer:somewhere_else\n").exit_code, 1);
  for (const char* row : {"repeated-transfer:cases.cu$", "*:repeated", "*:trace_cases"}) {
    const CommandResult result = run(row);
    EXPECT_EQ(result.exit_code, 0) << row << '\n' << result.err;
    EXPECT_THAT(result.err, HasSubstr("suppressed: 1"));
  }
  const CommandResult wrong = run("no-rule:x\n");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.out, "") << "the program did not run";
  EXPECT_THAT(wrong.err, HasSubstr("team.supp:1: there is no rule 'no-rule'"));
}

TEST_F(TraceTest, Budgets) {
  const auto code = [&](const char* spec) {
    return xfertrace({"--emulate", "--fail-on", spec, XFER_CASES, "repeated"}).exit_code;
  };
  EXPECT_EQ(code("repeated-transfer>2"), 1);
  EXPECT_EQ(code("repeated-transfer>3,round-trip>0"), 0);
  EXPECT_EQ(code("h2d_bytes>=262144"), 1);
  EXPECT_EQ(code("h2d_bytes>256KiB"), 0);
  EXPECT_EQ(code("h2d_bytes_per_scope(step)>1MB"), 1) << "there is no such scope";
  EXPECT_EQ(code("h2d_bytes>lots"), 2);
}

TEST_F(TraceTest, Diff) {
  const std::string one = file("repeated.xft"), other = file("round_trip.json");
  ASSERT_EQ(xfertrace({"--emulate", "--record", one, XFER_CASES, "repeated"}).exit_code, 0);
  ASSERT_EQ(
      xfertrace({"--emulate", "--format", "json", "-o", other, XFER_CASES, "round_trip"}).exit_code,
      0);
  CommandResult result = xfertrace({"diff", one, other});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 new, 0 worse, 0 better, 1 gone, 0 unchanged"));
  result = xfertrace({"diff", one, one, "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out, nullptr, false)["unchanged"], 1);
  EXPECT_EQ(xfertrace({"diff", one, "/no/such.json"}).exit_code, 2);
}

TEST_F(TraceTest, PreloadedWithoutXfertrace) {
  const CommandResult result =
      run_command({XFER_CASES, "repeated"},
                  {{"LD_PRELOAD", std::string(XFER_EMULATED_CUDART) + ":" + XFER_TRACER_LIBRARY},
                   {"XFERCHECK_EMULATE", "1"},
                   {"TMPDIR", folder_.string()}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "repeated done\n");
  EXPECT_THAT(result.err, HasSubstr("[repeated-transfer]"));
  EXPECT_TRUE(fs::is_empty(folder_)) << "the temporary trace is removed";
}

TEST_F(TraceTest, InjectedWithoutPreload) {
  const CommandResult result = run_command(
      {XFER_CASES, "repeated"}, {{"LD_PRELOAD", XFER_EMULATED_CUDART},
                                 {"CUDA_INJECTION64_PATH", XFER_TRACER_LIBRARY},
                                 {"XFERCHECK_EMULATE", "1"},
                                 {"XFERCHECK_OPTIONS", "output=" + file("t.xft").string()},
                                 {"TMPDIR", folder_.string()}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("[repeated-transfer]"));
  EXPECT_TRUE(fs::exists(file("t.xft"))) << "a trace that was asked for stays";
}

TEST_F(TraceTest, WhatWasNotReadIsSaid) {
  const CommandResult result = xfertrace(
      {"--emulate", "--format", "json", "-o", file("report.json"), XFER_CASES, "repeated"},
      {{"XFERCHECK_OPTIONS", "hash_budget=0"}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("the content of 8 copies (512 KiB) was not hashed"));
  EXPECT_THAT(result.err, HasSubstr("hash_budget=100"));
  std::ifstream in(file("report.json"));
  report_ = json::parse(in, nullptr, false);
  EXPECT_EQ(findings(), 0U) << "unknown is silent";
  EXPECT_EQ(report_["stats"]["content"]["skipped_copies"], 8);
  trace_case("repeated");
  EXPECT_EQ(report_["stats"]["content"]["read_bytes"], 524288);
  EXPECT_GT(report_["stats"]["content"]["read_ns"], 0);
}

TEST_F(TraceTest, SwitchedOff) {
  const CommandResult result =
      xfertrace({"--emulate", XFER_CASES, "repeated"}, {{"XFERCHECK_OPTIONS", "enabled=0"}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, Not(HasSubstr("[repeated-transfer]")));
}

TEST_F(TraceTest, AnotherToolHoldsCupti) {
  const CommandResult result = trace_case("other_subscriber");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "other_subscriber done\n");
  EXPECT_THAT(result.err, HasSubstr("another tool uses CUPTI"));
}

TEST_F(TraceTest, AToolThatComesLaterGetsItsRecords) {
  const CommandResult result = trace_case("late_subscriber");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "copies: 4\nlate_subscriber done\n");
  EXPECT_THAT(result.err, HasSubstr("the program subscribes to CUPTI itself"));
  expect_only("repeated-transfer", "late_subscriber");
}

// The emulated CUDA runtime alone in a folder: what libcupti there is does not work with it.
TEST_F(TraceTest, NoCupti) {
  for (const char* name : {"libcudart.so.13", "libxfer_loading.so"})
    fs::copy_file(fs::path(XFER_EMULATED_CUDART).parent_path() / name, file(name));
  const CommandResult result =
      run_command({XFER_CASES, "repeated"},
                  {{"LD_PRELOAD", file("libcudart.so.13").string() + ":" + XFER_TRACER_LIBRARY},
                   {"XFERCHECK_EMULATE", "1"},
                   {"TMPDIR", folder_.string()}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "repeated done\n");
  EXPECT_THAT(result.err, Not(HasSubstr("[repeated-transfer]")));
}

// The variable alone puts no emulated runtime into a program.
TEST_F(TraceTest, EmulationThatIsAskedForAndCannotBeIsSaid) {
  const auto run = [&](const std::string& program) {
    return run_command({program, "repeated"}, {{"LD_PRELOAD", XFER_TRACER_LIBRARY},
                                               {"LD_LIBRARY_PATH", XFER_CUDA_LIBRARIES},
                                               {"XFERCHECK_EMULATE", "1"},
                                               {"TMPDIR", folder_.string()}});
  };
  EXPECT_THAT(run(XFER_STATIC_PROGRAM).err,
              HasSubstr("xfertrace: XFERCHECK_EMULATE=1 has no effect here: "));
  const CommandResult shared = run(XFER_CASES);
  EXPECT_THAT(shared.err,
              HasSubstr("xfertrace: XFERCHECK_EMULATE=1 has no effect here: the program "
                        "uses "));
  EXPECT_THAT(shared.err, HasSubstr("xfertrace --emulate=1"));
  EXPECT_THAT(run("/bin/true").err, "") << "no CUDA program";
  EXPECT_THAT(trace_case("fresh").err, Not(HasSubstr("no effect")));
}

TEST_F(TraceTest, AProgramWithoutDebugInformationIsTold) {
  const fs::path program = file("stripped");
  fs::copy_file(XFER_CASES, program);
  if (std::system(("strip --strip-debug " + program.string()).c_str()) != 0)
    GTEST_SKIP() << "no strip";
  const CommandResult result = trace({program, "repeated"});
  ASSERT_EQ(findings(), 1U);
  const json& finding = report_["findings"][0];
  EXPECT_EQ(finding["location"]["file"], "");
  EXPECT_NE(finding["location"]["function"], "");
  EXPECT_THAT(finding["notes"].dump(), HasSubstr("in stripped, which has no line numbers"));
  EXPECT_THAT(result.err, HasSubstr("1 finding names a function but no line: "));
  EXPECT_THAT(result.err, HasSubstr("stripped was built without -g"));
  EXPECT_THAT(trace_case("repeated").err, Not(HasSubstr("built without -g")));
}

}  // namespace
}  // namespace xfer::test
