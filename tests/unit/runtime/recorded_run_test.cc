// The facts about a run in a trace's metadata.

#include <gmock/gmock.h>

#include <map>

#include "temp_file.h"
#include "text_trace.h"
#include "xfer/report_builder.h"
#include "xfer/trace_reader.h"
#include "xfer/trace_writer.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunInfo run_of(const std::map<std::string, std::string>& metadata, const std::string& events = {}) {
  const TempFile file;
  {
    auto writer = TraceWriter::open(file.path().c_str());
    for (const auto& [key, value] : metadata) writer->set_metadata(key, value);
    for (Event event : parse_trace(events)) {
      event.site = 0;
      if (event.kind == EventKind::kLaunch) event.name = writer->intern_string("_Z5scalePfi");
      writer->add(event);
    }
  }
  ReportBuilderOptions options;
  options.project_root = "/the/project";
  TraceReader trace(file.path());
  return build_report(trace, options).runs.at(0);
}

TEST(RecordedRun, ATraceOfAnOlderTracer) {
  const RunInfo run = run_of({});
  EXPECT_FALSE(run.command.empty());
  EXPECT_EQ(run.project, "/the/project");
  EXPECT_GT(run.start_ns, 0U);
  EXPECT_EQ(run.device, DeviceKind::kNotRecorded);
  EXPECT_EQ(run.cpu + run.os, "");
  EXPECT_FALSE(run.exit_code.has_value());
  EXPECT_FALSE(run.signal.has_value());
  EXPECT_THAT(run.not_run, IsEmpty());
}

TEST(RecordedRun, Devices) {
  RunInfo run = run_of({{"emulated", "1"}, {"emulated.devices", "2"}});
  EXPECT_TRUE(run.modelled());
  EXPECT_EQ(device_text(run), "2 emulated devices");
  run = run_of({{"emulated", "0"},
                {"gpu.names", "NVIDIA H200\nNVIDIA H200\nNVIDIA T4"},
                {"gpu.driver", "580.65.06"}});
  EXPECT_FALSE(run.modelled());
  EXPECT_EQ(device_text(run), "NVIDIA H200 x 2, NVIDIA T4, driver 580.65.06");
  EXPECT_EQ(device_text(run_of({{"emulated", "0"}})), "GPU, name not recorded");
}

TEST(RecordedRun, Ends) {
  EXPECT_EQ(run_of({{"exit_code", "7"}}).exit_code, 7);
  EXPECT_EQ(run_of({{"signal", "11"}}).signal, 11);
  EXPECT_FALSE(run_of({{"signal", "eleven"}}).signal.has_value());
  EXPECT_EQ(run_of({{"untraced", "no GPU"}}).untraced, Untraced::kNoGpu);
  EXPECT_EQ(run_of({{"tracer_problem", "why"}}).untraced, Untraced::kTracerFailed);
}

TEST(RecordedRun, CountsCallsAndWhatWasLeftOut) {
  const RunInfo run = run_of({{"unmodelled_calls", "2"}, {"activity_records_lost", "1"}},
                             "alloc A 64\nh2d A x 64 #a\nlaunch rw=A skipped\nlaunch rw=A skipped\n"
                             "d2h x A 64 #b failed\nsync device\n");
  EXPECT_EQ(run.cuda_calls, 6U);
  EXPECT_THAT(run.not_run,
              ElementsAre("2 kernel launches were not executed; their outputs hold old data (1 "
                          "kernel)",
                          HasSubstr("2 calls that move data are of a kind that is not traced"),
                          HasSubstr("CUPTI lost 1 record of device times"),
                          HasSubstr("1 CUDA call failed in the program")));
}

TEST(RecordedRun, NamesOperatorsThatCouldNotCompute) {
  const RunInfo run = run_of({{"emulated.kernels",
                               R"({"failed":1,"kernels":[{"name":"aten::add.Tensor","failed":0},
                                   {"name":"aten::kthvalue","failed":3,"why":"no room"}]})"}});
  EXPECT_THAT(run.not_run,
              ElementsAre("3 calls of operators were not computed; their results read as zeros, or "
                          "NaN: aten::kthvalue"));
}

// A program that a signal ends does not print them itself.
TEST(RecordedRun, NamesTheSkippedKernelsOfARunThatASignalEnded) {
  const RunInfo run = run_of({{"signal", "11"}}, "alloc A 64\nlaunch rw=A skipped\n");
  EXPECT_THAT(run.not_run, ElementsAre(HasSubstr("its outputs hold old data (1 kernel: ")));
}

}  // namespace
}  // namespace xfer::test
