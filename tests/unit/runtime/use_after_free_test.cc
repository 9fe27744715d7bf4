#include <gmock/gmock.h>

#include "pending_traces.h"
#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// `rest` follows the free of A and begins on line 3.
std::string freed(const std::string& rest) { return "alloc A 256\nfree A\n" + rest; }

TEST(UseAfterFree, CopiesAndFillsThatCudaRefused) {
  EXPECT_THAT(findings_of(freed(R"(h2d A+16 x 64 failed
d2h x A 64 failed
set A 64 failed)")),
              ElementsAre("3: use-after-free proven copied-to-freed 1x 64 B (2)",
                          "4: use-after-free proven copied-from-freed 1x 64 B (2)",
                          "5: use-after-free proven filled-freed 1x 64 B (2)"));
}

TEST(UseAfterFree, FreedTwice) {
  EXPECT_THAT(findings_of(freed("free A failed")),
              ElementsAre("3: use-after-free proven freed-twice 1x 0 B (2)"));
}

TEST(UseAfterFree, MemoryOfAPoolAlsoWhenTheCallSucceeds) {
  EXPECT_THAT(findings_of(R"(alloc A 256 async stream=1
free A async stream=1
set A 64 async stream=1
d2h x A 64 async stream=1)"),
              ElementsAre("3: use-after-free proven filled-freed 1x 64 B (2)",
                          "4: use-after-free proven copied-from-freed 1x 64 B (2)"));
}

TEST(UseAfterFree, FreedWhileACopyOnAnotherStreamMayUseIt) {
  EXPECT_THAT(findings_of(while_uploading("launch r=A w=B stream=1\nfree A async stream=2")),
              ElementsAre("9: use-after-free proven freed-pending 1x 256 B (7)"));
  EXPECT_THAT(findings_of(while_downloading("free A async stream=2")),
              ElementsAre("8: use-after-free proven freed-pending 1x 256 B (7)"));
}

TEST(UseAfterFree, AKernelIsGivenIt) {
  EXPECT_THAT(findings_of(freed("launch rw=A")),
              ElementsAre("3: use-after-free look-alike launched-on-freed 1x 0 B (2)"));
}

TEST(UseAfterFree, AKernelTouchesWhatItIsGiven) {
  EXPECT_THAT(findings_of(freed("launch rw=A+16:8 r=A plain")),
              ElementsAre("3: use-after-free proven launched-on-freed 1x 0 B (2)"));
  EXPECT_THAT(findings_of(freed("launch rw=A+16:8 plain")), IsEmpty())
      << "it came there from elsewhere: over the end of other memory, say";
}

TEST(UseAfterFree, OtherMemoryLiesWhereAGraphsNodePoints) {
  EXPECT_THAT(findings_of(freed("alloc A 256\nlaunch all other=A")),
              ElementsAre("4: use-after-free look-alike graph-on-freed 1x 0 B"));
}

TEST(UseAfterFree, PinnedMemoryIsFreedWhileItMayBeUsed) {
  const std::string waits = "8: use-after-free look-alike host-freed-pending ";
  const auto uploading = [](const std::string& rest) {
    return findings_of(while_uploading(rest + "\nlaunch rw=A stream=1 only"));
  };
  EXPECT_THAT(uploading("free P"), ElementsAre(waits + "1x 256 B (7)"));
  EXPECT_THAT(findings_of(while_downloading("free P\nlaunch r=B")),
              ElementsAre(waits + "1x 256 B (7)"));
  EXPECT_THAT(findings_of(while_downloading("free P")), IsEmpty()) << "the program ends";
  EXPECT_THAT(
      findings_of(pending_trace("launch r=P+32:64 stream=1 only plain id=1", "free P\nlaunch r=B")),
      ElementsAre(waits + "of-kernel 1x 64 B (7)"));
  EXPECT_THAT(uploading("sync stream=1\nfree P"), IsEmpty());
  EXPECT_THAT(uploading("free B\nfree P"), IsEmpty()) << "cudaFree waited";
}

TEST(UseAfterFree, AGraphNamesIt) {
  EXPECT_THAT(findings_of(freed("launch all names=A")),
              ElementsAre("3: use-after-free look-alike graph-on-freed 1x 0 B (2)"));
  EXPECT_THAT(findings_of(freed("launch all uses=A+16")),
              ElementsAre("3: use-after-free proven graph-on-freed 1x 0 B (2)"));
  for (const char* pinned : {"pinned", "pinned registered"})
    EXPECT_THAT(findings_of("alloc P 256 " + std::string(pinned) + "\nfree P\nlaunch all uses=P"),
                ElementsAre("3: use-after-free proven graph-on-freed 1x 0 B (2)"))
        << pinned;
}

TEST(UseAfterFreeSilent, PinnedMemoryThatWasFreed) {
  for (const char* use : {"h2d A P 64 failed", "read P", "launch r=P", "free P failed",
                          "alloc P 256 pinned\nlaunch uses=P"})
    EXPECT_THAT(findings_of("alloc A 256\nalloc P 256 pinned\nfree P\n" + std::string(use)),
                Not(Contains(HasSubstr("use-after-free"))))
        << use;
}

TEST(UseAfterFree, HostCodeTouchesIt) {
  EXPECT_THAT(findings_of(freed("read A+8")),
              ElementsAre("3: use-after-free proven host-touches-freed 1x 0 B (2)"));
}

TEST(UseAfterFree, AfterAReset) {
  EXPECT_THAT(findings_of("alloc A 256\nfree A reset\nreset\nh2d A x 64 failed"),
              ElementsAre("4: use-after-free proven copied-to-freed 1x 64 B (2)"));
}

TEST(UseAfterFreeSilent, FreedInOrder) {
  std::vector<std::string> orders = kWaitsForStream1;
  orders.push_back(kStream2Waits);
  for (const std::string& order : orders)
    EXPECT_THAT(findings_of(while_downloading(order + "\nfree A async stream=2")), IsEmpty())
        << order;
  EXPECT_THAT(findings_of(while_downloading("free A async stream=1")), IsEmpty());
  EXPECT_THAT(findings_of(while_downloading("free A")), IsEmpty()) << "cudaFree waits";
  EXPECT_THAT(findings_of(while_downloading("free B async stream=2")), IsEmpty());
}

TEST(UseAfterFreeSilent, OtherMemoryLiesThereNow) {
  EXPECT_THAT(findings_of(freed(R"(alloc A 64
h2d A x 64 failed
set A+32 64 failed
alloc A 256 managed
free A failed
d2h x A 64 failed)")),
              IsEmpty());
}

TEST(UseAfterFreeSilent, ACopyThatSucceeds) {
  EXPECT_THAT(findings_of(freed("h2d A x 64\nd2h x A 64")), IsEmpty());
}

TEST(UseAfterFreeSilent, DestructorsAfterAReset) {
  EXPECT_THAT(findings_of("alloc A 256\nfree A reset\nreset\nfree A failed"), IsEmpty());
}

// An allocator of the program's: the block Q of the memory A.
std::string block_reused(const std::string& before_the_free, const std::string& second_use) {
  return pending_trace("alloc 0x7f0000001000 4096\nalloc 0x7f0000001100 256 block",
                       before_the_free +
                           "\nfree 0x7f0000001100 block\n"
                           "alloc 0x7f0000001100 128 block\n" +
                           second_use);
}

TEST(UseAfterFree, ABlockIsUsedAgainOnAnotherStreamBeforeItsLastUseIsOver) {
  EXPECT_THAT(findings_of(block_reused("launch rw=0x7f0000001100:64 stream=1 only plain",
                                       "set 0x7f0000001100 128 async stream=2")),
              Contains(HasSubstr("use-after-free proven reused-pending of-kernel 1x 64 B (9)")));
  EXPECT_THAT(findings_of(block_reused("h2d 0x7f0000001100 P 256 async stream=1",
                                       "set 0x7f0000001100 128 async stream=2")),
              Contains(HasSubstr("use-after-free proven reused-pending 1x 256 B (9)")));
}

TEST(UseAfterFreeSilent, ABlockIsUsedAgainInOrder) {
  for (const char* order : {"record 5 stream=1\nwait 5 stream=2", "sync stream=1"})
    EXPECT_THAT(findings_of(block_reused(
                    "launch rw=0x7f0000001100:64 stream=1 only plain\n" + std::string(order),
                    "set 0x7f0000001100 128 async stream=2")),
                Not(Contains(HasSubstr("use-after-free"))))
        << order;
  EXPECT_THAT(findings_of(block_reused("launch rw=0x7f0000001100:64 stream=1 only plain",
                                       "set 0x7f0000001100 128 async stream=1")),
              Not(Contains(HasSubstr("use-after-free"))));
}

TEST(UseAfterFreeSilent, AFailedFreeFreesNothing) {
  EXPECT_THAT(findings_of("alloc A 256\nfree A failed\nset A 64\nfree A"), IsEmpty());
}

TEST(UseAfterFreeSilent, OnePastTheEndOfItsNeighbour) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc 0x7f0001000000 256
alloc 0x7f0001000100 256
free 0x7f0001000100
launch r=0x7f0001000000 r=0x7f0001000100)"),
              IsEmpty());
}

TEST(UseAfterFreeSilent, BlocksOfTheProgramsOwnAllocator) {
  EXPECT_THAT(findings_of(R"(alloc POOL 65536
alloc POOL+512 256 block
free POOL+512 block
free POOL+512 block failed
set POOL+512 64 failed
launch rw=POOL+512)"),
              IsEmpty());
}

TEST(UseAfterFreeSilent, MemoryThatIsOnlyShared) {
  EXPECT_THAT(findings_of("alloc A 256\nfree A all\nlaunch rw=A\nset A 64 failed\nfree A"),
              IsEmpty());
}

TEST(UseAfterFreeSilent, OtherCallsThatCudaRefused) {
  EXPECT_THAT(findings_of("alloc A 256\nh2d A x 512 failed\nfree x failed\nfree A"), IsEmpty());
}

TEST(UseAfterFreeSilent, EventsWereLost) {
  EXPECT_THAT(findings_of(freed("dropped 5\nset A 64 failed\nfree A failed")), IsEmpty());
}

}  // namespace
}  // namespace xfer::test
