// repeated-transfer, look-alike: a line that sends the same few bytes on and on, each time from
// other memory of the host to other memory of the device.

#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Big batches, and beside them a table that is made anew for each.
std::string beside_batches(int times, const std::string& copy, const std::string& launch = "all") {
  return "alloc P 65536\nalloc B 32768\nrepeat " + std::to_string(times) + R"(
  h2d B batch 32768 #b{i}
  alloc P+8192 512 block
  )" + copy +
         "\n  launch " + launch + "\n  free P+8192 block\nend";
}

TEST(ConstantAgain, ATableBesideBatches) {
  EXPECT_THAT(findings_of(beside_batches(10, "h2d P+8192 t{i} 100 #t")),
              ElementsAre("6: repeated-transfer look-alike constant-again 9x 900 B (6)"));
}

TEST(ConstantAgain, AFewBytesNeedMoreTimes) {
  EXPECT_THAT(findings_of(beside_batches(8, "h2d P+8192 t{i} 8 #t")), IsEmpty());
  EXPECT_THAT(findings_of(beside_batches(9, "h2d P+8192 t{i} 8 #t")),
              ElementsAre("6: repeated-transfer look-alike constant-again 8x 64 B (6)"));
}

TEST(ConstantAgain, OneLineSendsAMeanAndADeviation) {
  EXPECT_THAT(findings_of(R"(alloc P 65536
repeat 10
  alloc P+8192 512 block
  h2d P+8192 m{i} 100 #m at=7
  launch all
  alloc P+16384 512 block
  h2d P+16384 d{i} 100 #d at=7
  launch all
  free P+8192 block
  free P+16384 block
end)"),
              ElementsAre("7: repeated-transfer look-alike constant-again 18x 1800 B (7)"));
}

// The kernels of the later ones are known to leave it as it is.
TEST(ConstantAgain, IsOneFindingWithWhatIsKnownForCertain) {
  EXPECT_THAT(
      findings_of("alloc P 65536\nrepeat 10\nalloc P+8192 512 block\n"
                  "h2d P+8192 t{i} 100 #t at=4\nlaunch all\nfree P+8192 block\nend\n"
                  "repeat 10\nalloc Q 100\nh2d Q t 100 #t at=4\nlaunch r=Q\nfree Q\nend"),
      testing::Contains("4: repeated-transfer content-duplicate freed-unchanged 19x 1900 B (4)"));
}

TEST(ConstantAgainSilent, ItVaries) {
  EXPECT_THAT(findings_of(beside_batches(20, "h2d P+8192 t{i} 100 #t{i}")), IsEmpty());
  // Once in a while.
  EXPECT_THAT(findings_of(beside_batches(10, "h2d P+8192 t{i} 100 #t") +
                          "\nrepeat 9\nh2d P t 100 #o{i} at=6\nlaunch all\nend"),
              testing::Not(testing::Contains(testing::HasSubstr("2: repeated"))));
}

TEST(ConstantAgainSilent, TheSameMemoryIsReset) {
  EXPECT_THAT(findings_of(R"(alloc A 512
repeat 20
  h2d A t{i} 100 #t
  launch all
end)"),
              IsEmpty());
}

TEST(ConstantAgainSilent, AKernelIsGivenItToWriteTo) {
  EXPECT_THAT(findings_of(beside_batches(20, "h2d P+8192 t{i} 100 #t", "rw=P+8192 all")),
              IsEmpty());
}

// A model's layers: their biases are zeros, all sent by the same line, again and again.
TEST(ConstantAgainSilent, ManyBuffersAreFilledAlike) {
  EXPECT_THAT(findings_of(R"(alloc P 65536
repeat 10
  alloc P+8192 512 block
  h2d P+8192 m{i} 100 #0 at=7
  alloc P+16384 512 block
  h2d P+16384 d{i} 100 #0 at=7
  launch all
  free P+8192 block
  free P+16384 block
end)"),
              IsEmpty());
}

TEST(ConstantAgainSilent, TheyAreKept) {
  EXPECT_THAT(findings_of(R"(alloc P 65536
repeat 9
  alloc P+{i}0000 512 block
  h2d P+{i}0000 w{i} 100 #w
  launch all
end)"),
              IsEmpty());
}

TEST(ConstantAgainSilent, ItMayBeComputedFromASkippedKernelsResults) {
  EXPECT_THAT(findings_of("alloc R 64\nlaunch w=R skipped\nd2h r R 64 #r\n" +
                          beside_batches(20, "h2d P+8192 t{i} 100 #t")),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
