// Memory that is touched too early, too late or in the wrong place: real programs on emulated
// devices, found at the line that does it, silent where something told the host to go on.

#include <gmock/gmock.h>

#include <csignal>

#include "trace_fixture.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;

TEST_F(TraceTest, HostCodeTouchesDeviceMemory) {
  for (const char* name : {"host_read", "host_write"}) {
    const CommandResult result = trace_case(name);
    EXPECT_EQ(result.signal, SIGSEGV) << name << result.err;
    expect_only("host-access", name);
    EXPECT_THAT(report_["findings"][0]["message"].get<std::string>(),
                HasSubstr("memory that is on cuda:0"));
    const json& note = report_["findings"][0]["notes"][0];
    EXPECT_EQ(note["message"], "allocated here") << name;
  }
}

TEST_F(TraceTest, TheProgramsOwnHandlersAreCalledAfterwards) {
  for (const char* name :
       {"own_handler_before", "own_handler_after", "own_handler_on_a_small_stack"}) {
    const CommandResult result = trace_case(name);
    EXPECT_EQ(result.exit_code, 0) << name << result.err;
    EXPECT_EQ(result.out, std::string(name) + " done\n");
    expect_only("host-access", "own_handler");
  }
}

TEST_F(TraceTest, FreedMemoryIsUsed) {
  EXPECT_EQ(trace_case("use_after_free").exit_code, 0);
  expect_only("use-after-free", "use_after_free");
  EXPECT_EQ(trace_case("double_free").exit_code, 0);
  expect_only("use-after-free", "double_free");
}

TEST_F(TraceTest, MemoryPilesUp) {
  trace_case("leak");
  expect_only("leak", "leak");
  EXPECT_EQ(report_["findings"][0]["severity"], "advice");
  EXPECT_EQ(report_["findings"][0]["cost"]["count"], 8);
}

TEST_F(TraceTest, HostMemoryIsTouchedWhileACopyMayBeUsingIt) {
  for (const char* schedule : {"eager", "lazy"}) {
    const auto run = [&](const char* name) {
      const std::string options = std::string("emulate_schedule=") + schedule;
      const CommandResult result =
          xfertrace({"--emulate", "--format", "json", "-o", file("report.json"), XFER_CASES, name},
                    {{"XFERCHECK_OPTIONS", options}});
      EXPECT_EQ(result.exit_code, 0) << name << schedule << result.err;
      std::ifstream in(file("report.json"));
      report_ = json::parse(in, nullptr, false);
    };
    run("early_read");
    expect_only("read-before-sync", "early_read");
    run("early_upload");
    expect_only("read-before-sync", "early_upload");
    run("source_reuse");
    expect_only("async-source-reuse", "source_reuse");
    EXPECT_EQ(report_["findings"][0]["cost"]["count"], 2);
    run("in_time");
    EXPECT_EQ(findings(), 0U) << schedule << report_.dump(1);
  }
}

TEST_F(TraceTest, AnotherDeviceIsCurrent) {
  EXPECT_EQ(trace({XFER_CASES, "wrong_device"}, 2).exit_code, 0);
  expect_only("wrong-current-device", "wrong_device");
}

}  // namespace
}  // namespace xfer::test
