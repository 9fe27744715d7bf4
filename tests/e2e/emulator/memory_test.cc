// Pools of memory, and what programs say of memory, streams and limits.

#include <gmock/gmock.h>

#include "run_program.h"

namespace xfer::test {
namespace {

using ::testing::HasSubstr;

Outcome run_memory(const std::string& act) {
  return run_emulated(
      {XFER_MEMORY_PROGRAM, act},
      {"XFERCHECK_EMULATE=2", "XFERCHECK_OPTIONS=emulate_kernels=" XFER_PROGRAM_KERNELS});
}

TEST(Memory, PoolsCountWhatIsTakenFromThem) {
  const Outcome outcome = run_memory("pools");
  EXPECT_EQ(outcome.out,
            "current is standard: 1, own: 0\ntoo much: cudaErrorMemoryAllocation\n"
            "taken: used 2097152 at most 2097152, reserved 2097152\n"
            "freed: used 0 at most 2097152, reserved 2097152\n"
            "trimmed: used 0 at most 0, reserved 100\ncurrent is own: 1\n"
            "own: used 1048576 at most 1048576, reserved 1048576\n"
            "standard: used 0 at most 0, reserved 0\nreuse: 1\ncurrent is standard: 1\n"
            "destroyed: cudaErrorInvalidValue\nstandard: cudaErrorInvalidValue\n"
            "no pool: cudaErrorInvalidValue\nshared: cudaErrorNotSupported\n");
  EXPECT_THAT(outcome.err, HasSubstr("cudaMemPoolCreate for memory that processes share"));
}

TEST(Memory, APoolLetsAnotherDeviceIn) {
  EXPECT_EQ(run_memory("access").out, "before: 0\nafter: 3\nresult: 12\n");
}

TEST(Memory, AdviceIsChecked) {
  EXPECT_EQ(run_memory("managed").out,
            "flags: cudaErrorInvalidValue\na part: cudaErrorInvalidValue\n"
            "no device: cudaErrorInvalidDevice\ntoo much: cudaErrorInvalidValue\n"
            "no device: cudaErrorInvalidDevice\nio memory: cudaErrorNotSupported\n"
            "flags: cudaErrorInvalidValue\n");
}

TEST(Memory, AttributesAndLimitsAreKept) {
  const Outcome outcome = run_memory("attributes");
  EXPECT_EQ(outcome.out,
            "cooperative 1\npersisting 33554432\npools 1\nunified 1\nwindow 134217728\n"
            "same: 1\nwindow 4096\nunknown: cudaErrorInvalidValue\nlimit 1048576\n"
            "too much: cudaErrorInvalidValue\nno such limit: cudaErrorUnsupportedLimit\n"
            "banks of 4 bytes\n"
            "carveout: cudaErrorInvalidValue\nclusters: cudaErrorNotSupported\n");
}

TEST(Memory, FunctionsOfTheDriverAreFoundByName) {
  EXPECT_EQ(run_memory("entry_points").out, "found 1, devices 2\nfound 0\n");
}

}  // namespace
}  // namespace xfer::test
