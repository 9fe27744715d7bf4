// Allocations in traces that have no addresses.

#include <gmock/gmock.h>

#include "../temp_file.h"
#include "lines_of.h"
#include "nsys_database.h"
#include "xfer/report_builder.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kMs = 1'000'000;

/// How a program allocates around a copy and a kernel, round after round.
struct Rounds {
  std::string allocate = "cudaMalloc", free = "cudaFree";
  int count = 6;
  int bytes = 1 << 20;
  int bytes_more = 0;  ///< each round
  int call_ns = 50'000;
  bool works = true;
  bool frees = true;
};

std::vector<std::string> found_in(const Rounds& rounds) {
  const TempFile file;
  {
    NsysDatabase database(file.path());
    int id = 1;
    for (int i = 1; i <= rounds.count; ++i) {
      int at = i * kMs;
      const auto call = [&](const std::string& name, int took) {
        database.call(name, at, at + took, id);
        at += took + 1000;
        return id++;
      };
      // Buffers that the program keeps, beside them.
      if (i == 1) call("cudaMalloc", rounds.call_ns);
      call(rounds.allocate, rounds.call_ns);
      call(rounds.allocate, rounds.call_ns);
      if (rounds.works) {
        const int copy = call("cudaMemcpy", 100'000);
        database.copy("1, 0, 2", rounds.bytes + i * rounds.bytes_more, at - 90'000, at - 10'000,
                      copy);
        const int launch = call("cudaLaunchKernel", 5'000);
        database.kernel("scale(float*)", at, at + 20'000, launch);
        const int wait = call("cudaStreamSynchronize", 40'000);
        database.wait(3, wait, 7);
      }
      if (rounds.frees) {
        call(rounds.free, rounds.call_ns);
        call(rounds.free, rounds.call_ns);
      }
    }
  }
  return lines_of(build_report({file.path()}));
}

TEST(AllocRounds, TheSameBuffersForEachRound) {
  // Two buffers a round, and the first round is as it should be.
  EXPECT_THAT(found_in({}),
              ElementsAre("cudaMalloc: memory on cuda:0 is freed and allocated again (10 times)"));
}
TEST(AllocRounds, PinnedMemoryToo) {
  EXPECT_THAT(
      found_in({.allocate = "cudaMallocHost", .free = "cudaFreeHost"}),
      ElementsAre("cudaMallocHost: memory on the host is freed and allocated again (10 times)"));
}
TEST(AllocRoundsSilent, TheSizesOfCopiesChange) {
  EXPECT_THAT(found_in({.bytes_more = 4096}), IsEmpty());
}
TEST(AllocRounds, ManyRoundsOfWhateverSizeTakeTheirTime) {
  EXPECT_THAT(found_in({.count = 20, .bytes_more = 4096}),
              ElementsAre("cudaMalloc: memory on cuda:0 is freed and allocated again (38 times)"));
}
TEST(AllocRoundsSilent, NothingIsFreed) { EXPECT_THAT(found_in({.frees = false}), IsEmpty()); }
TEST(AllocRoundsSilent, BuffersThatLiveAsLongAsTheProgram) {
  const TempFile file;
  {
    NsysDatabase database(file.path());
    for (int i = 1; i <= 40; ++i)
      database.call("cudaMalloc", i * 100'000, i * 100'000 + 90'000, i)
          .call("cudaFree", 100 * kMs + i * 100'000, 100 * kMs + i * 100'000 + 90'000, 900 + i);
    database.call("cudaLaunchKernel", 50 * kMs, 50 * kMs + 5'000, 500)
        .kernel("scale(float*)", 51 * kMs, 52 * kMs, 500);
  }
  EXPECT_THAT(lines_of(build_report({file.path()})), IsEmpty());
}
TEST(AllocRoundsSilent, NothingIsDone) { EXPECT_THAT(found_in({.works = false}), IsEmpty()); }
TEST(AllocRoundsSilent, TheCallsAreQuick) { EXPECT_THAT(found_in({.call_ns = 2'000}), IsEmpty()); }
TEST(AllocRoundsSilent, ThreeRoundsAreFew) { EXPECT_THAT(found_in({.count = 2}), IsEmpty()); }

/// Batches with a wait at the end, each of which allocates three times in stream order.
std::vector<std::string> of_pool(int first_ns, int second_ns, int batches = 8) {
  const TempFile file;
  {
    NsysDatabase database(file.path());
    int id = 1;
    for (int i = 1; i <= batches; ++i) {
      int at = i * kMs;
      for (const int took : {first_ns, 1'200, second_ns}) {
        database.call("cudaMallocAsync", at, at + took, id++);
        at += took + 1'000;
        database.call("cudaLaunchKernel", at, at + 4'000, id)
            .kernel("scale(float*)", at + 5'000, at + 9'000, id);
        ++id;
        database.call("cudaFreeAsync", at + 5'000, at + 6'000, id++);
        at += 10'000;
      }
      database.call("cudaStreamSynchronize", at, at + 5'000, id).wait(3, id, 7);
      ++id;
    }
  }
  return lines_of(build_report({file.path()}));
}

TEST(PoolTrims, EachWaitGivesThePoolsMemoryBack) {
  EXPECT_THAT(
      of_pool(400'000, 1'200),
      ElementsAre("cudaMallocAsync: memory on cuda:0 is freed and allocated again (7 times)"));
}
TEST(PoolTrimsSilent, ThePoolKeepsItsMemory) { EXPECT_THAT(of_pool(1'300, 1'200), IsEmpty()); }
TEST(PoolTrimsSilent, ThePoolGrowsInBetweenToo) {
  EXPECT_THAT(of_pool(400'000, 400'000), IsEmpty());
}
TEST(PoolTrimsSilent, AFewSlowOnesAreTheStart) {
  EXPECT_THAT(of_pool(400'000, 1'200, 4), IsEmpty());
}

}  // namespace
}  // namespace xfer::test
