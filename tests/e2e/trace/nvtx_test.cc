// Ranges that a program marks by NVTX are scopes.

#include "trace_fixture.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class NvtxTest : public TraceTest {
 protected:
  /// Of each scope: how many there were, and their uploads.
  std::map<std::string, std::pair<int, int>> scopes() const {
    std::map<std::string, std::pair<int, int>> all;
    const json found = report_["stats"].value("scopes", json::object());
    for (const auto& [name, scope] : found.items())
      all[name] = {scope["count"], scope["sum"]["h2d_count"]};
    return all;
  }
  using Scopes = std::map<std::string, std::pair<int, int>>;
};

TEST_F(NvtxTest, PushedRanges) {
  const CommandResult result = trace_case("nvtx_steps");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(scopes(), (Scopes{{"run", {1, 4}}, {"step", {3, 4}}}));
  EXPECT_EQ(report_["stats"]["scopes"]["step"]["most"]["h2d_count"], 2);
}

TEST_F(NvtxTest, Budgets) {
  const auto code = [&](const char* budget) {
    return xfertrace({"--emulate", "--fail-on", budget, XFER_CASES, "nvtx_steps"}).exit_code;
  };
  EXPECT_EQ(code("h2d_bytes_per_scope(step)>=128KiB"), 1);
  EXPECT_EQ(code("h2d_bytes_per_scope(step)>128KiB"), 0);
  EXPECT_EQ(code("h2d_count_per_scope(run)>3"), 1);
  EXPECT_EQ(code("h2d_count_per_scope(walk)>3"), 1) << "there is no such scope";
}

TEST_F(NvtxTest, NamesOfAllKinds) {
  const CommandResult result = trace_case("nvtx_names");
  EXPECT_EQ(result.exit_code, 0) << "a range has another level than NVTX's: " << result.err;
  EXPECT_EQ(scopes(), (Scopes{{"narrow", {1, 1}},
                              {"größe 😀", {1, 1}},
                              {"registered", {1, 1}},
                              {"registered, wide", {1, 1}},
                              {"scope", {1, 1}},
                              {"by attributes", {1, 1}},
                              {"wide", {1, 1}}}));
}

TEST_F(NvtxTest, RangesThatDoNotNest) {
  EXPECT_EQ(trace_case("nvtx_crossing").exit_code, 0);
  EXPECT_EQ(scopes(), (Scopes{{"annotated", {1, 2}}, {"ours", {1, 2}}, {"theirs", {1, 3}}}));
}

TEST_F(NvtxTest, RangesThatAnotherThreadEnds) {
  EXPECT_EQ(trace_case("nvtx_process_ranges").exit_code, 0);
  EXPECT_EQ(scopes(), (Scopes{{"first", {1, 2}}, {"second", {1, 2}}, {"gone", {1, 0}}}));
}

TEST_F(NvtxTest, InAForkedChild) {
  const CommandResult result = trace_case("nvtx_fork");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(scopes(), (Scopes{{"outer", {1, 1}}, {"step", {1, 1}}}));
}

// cuBLAS, cuDNN and NCCL mark each of their calls.
TEST_F(NvtxTest, LibrariesOfCudasKeepTheirRangesToThemselves) {
  setenv("XFER_NVTX_LIBRARY", XFER_NVTX_FOLDER "/libours.so", 1);
  EXPECT_EQ(trace_case("nvtx_in_a_library").exit_code, 0);
  EXPECT_EQ(scopes(), (Scopes{{"outside", {1, 1}}, {"inside", {1, 1}}}));
  setenv("XFER_NVTX_LIBRARY", XFER_NVTX_FOLDER "/libnccl.so.2", 1);
  EXPECT_EQ(trace_case("nvtx_in_a_library").exit_code, 0);
  EXPECT_EQ(scopes(), (Scopes{{"outside", {1, 1}}}));
}

TEST_F(NvtxTest, ManyRangesMakeNoLargeTrace) {
  const CommandResult result =
      xfertrace({"--emulate", "--record", file("many.xft"), "--format", "json", "-o",
                 file("report.json"), XFER_CASES, "nvtx_many"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_LT(fs::file_size(file("many.xft")), 400'000U);
  report_ = json::parse(std::ifstream(file("report.json")));
  EXPECT_EQ(scopes().size(), 1024U);
  EXPECT_EQ(scopes()["small"], (std::pair{100'000, 100}));
  EXPECT_THAT(result.err, HasSubstr("NVTX ranges were not recorded as scopes"));
}

TEST_F(NvtxTest, PreloadedByHand) {
  const CommandResult result =
      run_command({XFER_CASES, "nvtx_steps"},
                  {{"LD_PRELOAD", std::string(XFER_EMULATED_CUDART) + ":" + XFER_TRACER_LIBRARY},
                   {"XFERCHECK_EMULATE", "1"},
                   {"NVTX_INJECTION64_PATH", ""},
                   {"XFERCHECK_OPTIONS", "output=" + file("t.xft").string()}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  xfertrace({"report", "--format", "json", "-o", file("report.json"), file("t.xft")});
  report_ = json::parse(std::ifstream(file("report.json")));
  EXPECT_EQ(scopes(), (Scopes{{"run", {1, 4}}, {"step", {3, 4}}}));
}

// Here a library that is none of NVTX's: the program goes on without.
TEST_F(NvtxTest, AnotherToolKeepsTheRanges) {
  const CommandResult result = xfertrace(
      {"--emulate", "--format", "json", "-o", file("report.json"), XFER_CASES, "nvtx_steps"},
      {{"NVTX_INJECTION64_PATH", XFER_CASE_KERNELS}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("NVTX_INJECTION64_PATH is " XFER_CASE_KERNELS));
  report_ = json::parse(std::ifstream(file("report.json")));
  EXPECT_TRUE(scopes().empty());
  EXPECT_THAT(trace_case("nvtx_steps").err, Not(HasSubstr("NVTX_INJECTION64_PATH")));
}

TEST_F(NvtxTest, ATimelineOfRangesThatDoNotNest) {
  for (const char* name : {"nvtx_crossing", "nvtx_process_ranges"}) {
    const CommandResult result =
        xfertrace({"--emulate", "--format", "perfetto", "-o", file("t.json"), XFER_CASES, name});
    const json timeline = json::parse(std::ifstream(file("t.json")));
    std::map<std::int64_t, int> open;
    for (const json& event : timeline["traceEvents"]) {
      if (event["ph"] == "B") ++open[event["tid"]];
      if (event["ph"] == "E") {
        EXPECT_GE(--open[event["tid"]], 0) << name;
      }
    }
    for (const auto& [thread, count] : open) EXPECT_EQ(count, 0) << name;
  }
}

}  // namespace
}  // namespace xfer::test
