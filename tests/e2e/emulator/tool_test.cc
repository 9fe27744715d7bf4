#include <gmock/gmock.h>

#include <regex>

#include "run_program.h"
#include "unit/runtime/temp_file.h"

namespace xfer::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string told(const std::string& act, const std::vector<std::string>& environment = {},
                 const char* program = XFER_PROGRAM) {
  const TempFile output;
  std::vector<std::string> all = {"CUDA_INJECTION64_PATH=" XFER_PROGRAM_TOOL,
                                  "TOOL_OUTPUT=" + output.path().string()};
  all.insert(all.end(), environment.begin(), environment.end());
  run_emulated({program, act}, all);
  return output.text();
}

TEST(Tool, SeesEveryCallFromTheFirst) {
  const std::string text = told("add");
  EXPECT_THAT(text, StartsWith("subscribed 0, again 39\nresource 1\n"
                               "call 1 cudaMalloc cudaMalloc_v3020 on 0 returned 0 kept 1\n"));
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("call 2 cudaMemcpy cudaMemcpy_v3020 on 0 returned 0 kept 1 count 4000\n"),
            HasSubstr("cudaLaunchKernel cudaLaunchKernel_v7000 on 0 returned 0 kept 1 of "
                      "_ZN7program3addENS_7VectorsEi\n"),
            HasSubstr("synchronized 2\n")));
}

TEST(Tool, RecordsOfAGraphSayTheirNodes) {
  const std::string text =
      told("clones", {"XFERCHECK_OPTIONS=emulate_kernels=" XFER_PROGRAM_KERNELS},
           XFER_GRAPH_BUILD_PROGRAM);
  for (const char* const record :
       {"copy of \\d+ kind 1 .* node 1\n", "kernel of \\d+ .* grid 2 block 128 node 2\n",
        "copy of \\d+ kind 2 .* node 3\n"})
    EXPECT_TRUE(std::regex_search(text, std::regex(record))) << record << text;
}

TEST(Tool, RecordsJoinTheirCallsByCorrelation) {
  const std::string text = told("add");
  std::smatch launch;
  ASSERT_TRUE(std::regex_search(text, launch, std::regex("call (\\d+) cudaLaunchKernel")));
  EXPECT_THAT(text, AllOf(HasSubstr("copy of 2 kind 1 from 1 to 3 bytes 4000 took "),
                          HasSubstr("kind 2 from 3 to 1 bytes 4 took "),
                          HasSubstr("kernel of " + launch[1].str() +
                                    " _ZN7program3addENS_7VectorsEi grid 4 block 256\n")));
}

TEST(Tool, CopiesOfArraysHaveKindsOfTheirOwn) {
  EXPECT_THAT(told("planes", {}, XFER_ARRAY_PROGRAM),
              AllOf(HasSubstr(" kind 3 from 1 to 4 bytes 48 "),    // of the host, to an array
                    HasSubstr(" kind 4 from 4 to 1 bytes 48 "),    // back
                    HasSubstr(" kind 5 from 4 to 4 bytes 16 "),    // between arrays
                    HasSubstr(" kind 6 from 4 to 3 bytes 16 ")));  // to other memory of the device
}

TEST(Tool, IsToldTheSameInEveryRun) { EXPECT_EQ(told("timing"), told("timing")); }

TEST(Tool, SeesErrorsAndOtherDevices) {
  const std::string text = told("devices", {"XFERCHECK_EMULATE=2"});
  EXPECT_THAT(text, AllOf(HasSubstr("cudaMalloc cudaMalloc_v3020 on 1 returned 0"),
                          HasSubstr("cudaSetDevice cudaSetDevice_v3020 on 1 returned 101")));
}

TEST(Tool, ALibraryThatCannotBeLoadedIsSaidAndTheProgramRuns) {
  const Outcome outcome =
      run_emulated({XFER_PROGRAM, "pitched"}, {"CUDA_INJECTION64_PATH=/no/such/library.so"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, StartsWith("xfercheck: CUDA_INJECTION64_PATH: /no/such/library.so"));
}

}  // namespace
}  // namespace xfer::test
