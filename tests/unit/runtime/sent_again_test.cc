// repeated-transfer, look-alike: the same content sent on and on, each time to other memory, where
// nobody knows what the kernels there did with it.

#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A tensor that is moved to the device on every step: its memory there is a block of an
// allocator's.
std::string every_step(int times, const std::string& launch, const std::string& content = "#w") {
  return "alloc P 65536\nrepeat " + std::to_string(times) + R"(
  alloc P+8192 8192 block
  h2d P+8192 w 8192 )" +
         content + "\n  launch " + launch + "\n  free P+8192 block\nend";
}

TEST(SentAgain, ATensorOnEveryStep) {
  EXPECT_THAT(findings_of(every_step(10, "all")),
              ElementsAre("4: repeated-transfer look-alike sent-again 9x 73728 B (4)"));
}

TEST(SentAgain, ToBuffersOfTheDevice) {
  EXPECT_THAT(findings_of(R"(repeat 5
  alloc A 8192
  h2d A w 8192 #w
  launch all
  free A
end)"),
              testing::Contains("3: repeated-transfer look-alike sent-again 4x 32768 B (3)"));
}

TEST(SentAgain, AllOfWhichAreKept) {
  EXPECT_THAT(findings_of(R"(alloc P 65536
repeat 5
  alloc P+{i}0000 8192 block
  h2d P+{i}0000 w 8192 #w
  launch all
end)"),
              ElementsAre("4: repeated-transfer look-alike sent-again 4x 32768 B (4)"));
}

TEST(SentAgainSilent, AFewTimes) { EXPECT_THAT(findings_of(every_step(3, "all")), IsEmpty()); }

TEST(SentAgainSilent, AKernelIsGivenItToWriteTo) {
  EXPECT_THAT(findings_of(every_step(10, "rw=P+8192 all")), IsEmpty());
}

TEST(SentAgainSilent, ItIsAReset) {
  EXPECT_THAT(findings_of(R"(alloc A 8192
repeat 10
  h2d A w 8192 #w
  launch all
end)"),
              IsEmpty());
}

TEST(SentAgainSilent, TwoBuffersAreResetInTurn) {
  EXPECT_THAT(findings_of(R"(alloc A 8192
alloc B 8192
repeat 10
  h2d A w 8192 #w
  launch all
  h2d B w 8192 #w
  launch all
end)"),
              IsEmpty());
}

TEST(SentAgainSilent, OtherContent) {
  EXPECT_THAT(findings_of(every_step(10, "all", "#w{i}")), IsEmpty());
}

TEST(SentAgainSilent, WithoutAHash) {
  EXPECT_THAT(findings_of(every_step(10, "all", "")), IsEmpty());
}

TEST(SentAgainSilent, ABatchOfADataSetThatComesRoundAgain) {
  std::string trace = "alloc P 65536\n";
  for (int epoch = 0; epoch < 6; ++epoch)
    for (int batch = 0; batch < 20; ++batch) {
      const std::string name = 'b' + std::to_string(batch);
      trace += "alloc P+8192 8192 block\nh2d P+8192 " + name + " 8192 #" + name +
               " at=7\nlaunch all\nfree P+8192 block\n";
    }
  EXPECT_THAT(findings_of(trace), IsEmpty());
}

TEST(SentAgainSilent, ACopyWroteAPart) {
  EXPECT_THAT(findings_of(R"(alloc P 65536
repeat 10
  alloc P+8192 8192 block
  h2d P+8192 w 8192 #w
  h2d P+8200 mask 8 #mask{i}
  launch all
  free P+8192 block
end)"),
              IsEmpty());
}

TEST(SentAgainSilent, MayBeComputedFromResultsOfASkippedKernel) {
  EXPECT_THAT(findings_of(R"(alloc P 65536
alloc P+32768 64 block
launch all skipped
d2h loss P+32768 64 #r
repeat 10
  alloc P+8192 8192 block
  h2d P+8192 w 8192 #w
  launch all skipped
  free P+8192 block
end)"),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
