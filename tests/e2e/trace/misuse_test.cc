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
      const CommandResult result =
          trace({XFER_CASES, name}, 1, std::string("emulate_schedule=") + schedule);
      EXPECT_EQ(result.exit_code, 0) << name << schedule << result.err;
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

TEST_F(TraceTest, WaitsForEachKernelButNotToTakeItsTime) {
  EXPECT_EQ(trace({XFER_CASES, "waits_for_each"}).exit_code, 0);
  expect_only("needless-sync", "waits_for_each");
  EXPECT_EQ(report_["findings"][0]["cost"]["count"], 8);
  EXPECT_EQ(trace({XFER_CASES, "timed_each"}).exit_code, 0);
  EXPECT_EQ(findings(), 0U) << report_.dump(1);
}

TEST_F(TraceTest, WaitsThatCouldComeLater) {
  for (const char* schedule : {"eager", "lazy"}) {
    const std::string options = std::string("emulate_schedule=") + schedule;
    EXPECT_EQ(trace({XFER_CASES, "waits_too_early"}, 1, options).exit_code, 0);
    expect_only("needless-sync", "waits_too_early");
    EXPECT_EQ(report_["findings"][0]["cost"]["count"], 8);
    EXPECT_EQ(report_["findings"][0]["severity"], "advice");
    EXPECT_THAT(report_["findings"][0]["message"].get<std::string>(),
                HasSubstr("but reads none of the results before its next sync"));
    EXPECT_EQ(trace({XFER_CASES, "waits_in_time"}, 1, options).exit_code, 0);
    EXPECT_EQ(findings(), 0U) << schedule << report_.dump(1);
  }
}

TEST_F(TraceTest, NobodyLooksAtAResult) {
  for (const char* schedule : {"eager", "lazy"}) {
    const std::string options = std::string("emulate_schedule=") + schedule;
    EXPECT_EQ(trace({XFER_CASES, "unread"}, 1, options).exit_code, 0);
    expect_only("unused-transfer", "unread");
    EXPECT_EQ(report_["findings"][0]["cost"]["count"], 2) << "the last is looked at";
    EXPECT_THAT(report_["findings"][0]["message"].get<std::string>(),
                HasSubstr("copied to the host and never used there: nothing reads it"));
    const CommandResult read = trace({XFER_CASES, "each_is_read"}, 1, options);
    EXPECT_EQ(read.out, "each_is_read done\n");
    EXPECT_EQ(findings(), 0U) << report_.dump(1);
  }
}

TEST_F(TraceTest, WorkOnAnotherStreamIsTooEarly) {
  // On a GPU they race indeed, and some lose the device.
  const auto run = [&](const char* name) {
    EXPECT_EQ(trace({XFER_CASES, name}, 1, "emulate_schedule=eager").exit_code, 0) << name;
  };
  run("early_kernel");
  expect_only("read-before-sync", "early_kernel");
  EXPECT_EQ(report_["findings"][0]["severity"], "error") << "what the kernel reads is known";
  run("early_fill");
  expect_only("async-source-reuse", "early_fill");
  EXPECT_THAT(report_["findings"][0]["message"].get<std::string>(),
              HasSubstr("a copy or fill on another stream writes memory that an asynchronous copy "
                        "of 64 KiB from cuda:0 may still be reading"));
  run("kernel_over_source");
  expect_only("async-source-reuse", "kernel_over_source");
  run("early_free");
  expect_only("use-after-free", "early_free");
  EXPECT_THAT(report_["findings"][0]["message"].get<std::string>(),
              HasSubstr("is freed while an asynchronous copy may still use it"));
  run("ordered_streams");
  EXPECT_EQ(findings(), 0U) << report_.dump(1);
}

// The kernel is run, and when the host waits for it, so that the wait is as long as on a device.
TEST_F(TraceTest, ALossIsReadOnEveryStep) {
  const auto run = [&](const char* name) {
    trace({XFER_CASES, name}, 1, "emulate_schedule=lazy:emulate_kernels=" XFER_CASE_KERNELS);
  };
  run("loss_each_step");
  expect_only("sync-in-loop", "loss_each_step");
  EXPECT_EQ(report_["findings"][0]["severity"], "advice");
  EXPECT_EQ(report_["findings"][0]["cost"]["count"], 64);
  for (const char* name : {"loss_now_and_then", "flag_each_step"}) {
    run(name);
    EXPECT_EQ(findings(), 0U) << name << report_.dump(1);
  }
}

TEST_F(TraceTest, AnotherDeviceIsCurrent) {
  EXPECT_EQ(trace({XFER_CASES, "wrong_device"}, 2).exit_code, 0);
  expect_only("wrong-current-device", "wrong_device");
}

}  // namespace
}  // namespace xfer::test
