// Programs with a SIGSEGV handler of their own under xfertrace, which has one too: theirs works as
// if they were alone, and what ours has to tell is told.

#include <tuple>

#include "trace_fixture.h"

namespace xfer::test {
namespace {

using How = std::tuple<const char*, const char*>;  // the way of setting it; before CUDA or after

class SignalsTest : public TraceTest, public testing::WithParamInterface<How> {
 protected:
  CommandResult run(const char* what, const std::string& options = {}) {
    const auto [how, when] = GetParam();
    return trace({XFER_SIGNAL_CASES, what, how, when}, 1, options);
  }
  void expect_only(const char* rule, const char* mark) const {
    TraceTest::expect_only(rule, mark, "signal_cases.cu");
  }
};

TEST_P(SignalsTest, ItGetsOverEachFault) {
  const CommandResult result = run("recovers");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "done\n");
  expect_only("host-access", "recovers");
  EXPECT_EQ(report_["findings"][0]["cost"]["count"], 3);
}

TEST_P(SignalsTest, ItRepairsWhatIsItsOwn) {
  const CommandResult result = run("repairs");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_only("round-trip", "repairs");
}

TEST_P(SignalsTest, ItGetsOverFaultsOfSeveralThreads) {
  const CommandResult result = run("threads");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_only("host-access", "threads");
}

TEST_P(SignalsTest, ItReportsTheCrashAndDies) {
  const CommandResult result = run("reports");
  EXPECT_EQ(result.signal, SIGSEGV) << result.err;
  EXPECT_EQ(result.out, "crashed\n");
  expect_only("host-access", "touches");
}

TEST_P(SignalsTest, ItEndsTheProgram) {
  const CommandResult result = run("exits");
  EXPECT_EQ(result.exit_code, 42) << result.err;
  expect_only("host-access", "touches");
}

TEST_P(SignalsTest, ItIsNotCalledForTheLibrarysOwnFaults) {
  const CommandResult result = run("pinned", "emulate_schedule=eager");  // they alone have such
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_only("read-before-sync", "pinned");
}

INSTANTIATE_TEST_SUITE_P(Ways, SignalsTest,
                         testing::Combine(testing::Values("handler", "info", "signal", "own_stack",
                                                          "threads_stack"),
                                          testing::Values("before", "after")),
                         [](const testing::TestParamInfo<How>& way) {
                           return std::string(std::get<0>(way.param)) + "_" +
                                  std::get<1>(way.param);
                         });

}  // namespace
}  // namespace xfer::test
