// Findings that need the reads and writes of kernels, which emulated devices record.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trace_fixture.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;

class TouchedTest : public TraceTest {
 protected:
  CommandResult trace_emulated(const std::string& name, const std::string& options = {}) {
    return trace({XFER_CASES, name}, 1, "emulate_execute=ptx" + options);
  }
};

TEST_F(TouchedTest, UploadThatAKernelOverwrites) {
  trace_emulated("output_uploaded");
  expect_only("unused-transfer", "output_uploaded");
}

TEST_F(TouchedTest, UploadThatAKernelOverwritesInPart) {
  trace_emulated("output_kept");
  EXPECT_EQ(findings(), 0U) << report_.dump(1);
}

TEST_F(TouchedTest, RepeatedUploadOfWhatAStructurePointsTo) {
  trace_emulated("structure_repeated");
  expect_only("repeated-transfer", "structure_repeated");
}

TEST_F(TouchedTest, NothingWhereItIsSwitchedOff) {
  trace_emulated("structure_repeated", ":emulate_touches=0");
  EXPECT_EQ(findings(), 0U) << report_.dump(1);
}

TEST_F(TouchedTest, NothingWhereTheKernelRunsLater) {
  trace_emulated("structure_repeated", ":emulate_schedule=lazy");
  EXPECT_EQ(findings(), 0U) << "what it will touch is not known yet";
}

TEST_F(TouchedTest, TheReportSaysHowKernelsRan) {
  trace_emulated("structure_repeated");
  const json& kernels = report_["stats"]["kernels"];
  EXPECT_EQ(kernels["executed"], 1) << report_.dump(1);
  EXPECT_EQ(kernels["skipped"], 0);
  EXPECT_EQ(kernels["launches"], 4);
  EXPECT_EQ(kernels["kernels"][0]["from_ptx"], 4);
  EXPECT_EQ(report_["runs"][0]["kernels"], "1 executed") << report_.dump(1);
}

TEST_F(TouchedTest, TheReportSaysWhatWasSkippedAndWhy) {
  trace({XFER_CASES, "structure_repeated"}, 1, "emulate_execute=skip");
  const json& kernel = report_["stats"]["kernels"]["kernels"][0];
  EXPECT_EQ(kernel["skipped"], 4);
  EXPECT_EQ(kernel["why"], "emulate_execute=skip");
  EXPECT_EQ(report_["runs"][0]["kernels"], "0 executed, 1 skipped");
}

TEST_F(TouchedTest, TheEmulatorWritesItsReportWithoutATracer) {
  const std::string report = file("kernels.json");
  const CommandResult result =
      run_command({XFER_CASES, "structure_repeated"},
                  {{"LD_LIBRARY_PATH", fs::path(XFER_EMULATED_CUDART).parent_path()},
                   {"XFERCHECK_EMULATE", "1"},
                   {"XFERCHECK_OPTIONS", "emulate_report=" + report}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::ifstream in(report);
  EXPECT_EQ(json::parse(in)["kernels"][0]["from_ptx"], 4);

  EXPECT_THAT(run_command({XFER_CASES, "structure_repeated"},
                          {{"LD_LIBRARY_PATH", fs::path(XFER_EMULATED_CUDART).parent_path()},
                           {"XFERCHECK_EMULATE", "1"},
                           {"XFERCHECK_OPTIONS", "emulate_report=/nowhere/kernels.json"}})
                  .err,
              HasSubstr("/nowhere/kernels.json: the file cannot be written"));
}

}  // namespace
}  // namespace xfer::test
