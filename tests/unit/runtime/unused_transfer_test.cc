#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(UnusedTransfer, OverwrittenBeforeAnythingReadIt) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
h2d A y 256 #y
launch r=A)"),
              ElementsAre("2: unused-transfer proven overwritten 1x 256 B (3)"));
  // Darknet: arrays are uploaded and then filled.
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
set A 256
launch r=A)"),
              ElementsAre("2: unused-transfer proven overwritten 1x 256 B (3)"));
}

TEST(UnusedTransfer, AKernelReadsOverTheEndsOfBlocks) {
  for (const char* launch : {"r=P:600", "r=P:150:597:4", "rw=P:600"})
    EXPECT_THAT(findings_of("alloc P 8192\nalloc P 256 block\nalloc P+256 256 block\n"
                            "alloc P+512 256 block\nh2d P+256 x 256 #x\nh2d P+512 y 256 #y\n"
                            "launch " +
                            std::string(launch) + " only\nfree P+256 block\nfree P+512 block"),
                IsEmpty())
        << launch;
}

TEST(UnusedTransfer, OverwrittenByAKernelThatReadsNothingThere) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
launch w=A:256
d2h y A 256 #y)"),
              ElementsAre("2: unused-transfer proven overwritten 1x 256 B (3)"));
  // Not all of it; read in part; nobody knows where it is written.
  for (const char* launch : {"w=A:255", "w=A:200 r=A+200:56", "w=A", "w=A:128:254:4"})
    EXPECT_THAT(findings_of("alloc A 256\nh2d A x 256 #x\nlaunch " + std::string(launch) +
                            "\nd2h y A 256 #y\nfree A"),
                IsEmpty())
        << launch;
}

TEST(UnusedTransfer, OverwrittenPieceByPiece) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
h2d A y 100 #1
h2d A+200 y 56 #2
h2d A+90 y 120 #3
launch r=A)"),
              ElementsAre("2: unused-transfer proven overwritten 1x 256 B (5)"));
}

TEST(UnusedTransfer, WithoutAnyKernelAFreedOneIsAdvice) {
  // A discarded result, or an error that ended the program: the place of freeing tells them apart.
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
free A)"),
              ElementsAre("2: unused-transfer look-alike freed 1x 256 B (3)"));
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
h2d A x 256 #x at=3
h2d B y 256 #y at=3
free B
free A)"),
              ElementsAre("3: unused-transfer look-alike freed 1x 256 B (5)",
                          "3: unused-transfer look-alike freed 1x 256 B (6)"));
}

TEST(UnusedTransfer, FreedWhileKernelsUsedOtherBuffers) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
h2d A x 256 #x
h2d B y 256 #y
launch rw=B
free A
free B)"),
              ElementsAre("3: unused-transfer proven freed 1x 256 B (6)"));
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
h2d A x 256 #x
h2d B y 256 #y
free A
launch rw=B)"),
              ElementsAre("3: unused-transfer proven freed 1x 256 B (5)"));
}

TEST(UnusedTransfer, StillThereAtTheEnd) {
  const char* trace = R"(alloc A 256
alloc B 256
h2d A x 256 #x
h2d B y 256 #y
launch rw=B)";
  EXPECT_THAT(findings_of(trace), ElementsAre("3: unused-transfer proven never-read 1x 256 B"));
  // A program that was killed might have read it later.
  EXPECT_THAT(findings_of(trace, Ending::kBrokenOff), IsEmpty());
}

TEST(UnusedTransfer, SentAfterTheLastKernel) {
  const std::string trace = R"(alloc A 256
alloc B 256
h2d A x 256 #x
launch rw=A
h2d B y 256 #y)";
  EXPECT_THAT(findings_of(trace), ElementsAre("5: unused-transfer proven too-late 1x 256 B"));
  EXPECT_THAT(findings_of(trace, Ending::kFailed), IsEmpty()) << "it was about to be used";
  EXPECT_THAT(findings_of(trace + "\nd2h z B 256 #y at=5"), Not(Contains(HasSubstr("too-late"))));
}

TEST(UnusedTransferSilent, NoKernelEverRan) {
  EXPECT_THAT(findings_of("alloc A 256\nh2d A x 256 #x"), IsEmpty());
  EXPECT_THAT(findings_of("alloc A 256\nalloc B 256 dev=1\nlaunch rw=B dev=1\nh2d A x 256 #x"),
              IsEmpty());
}

TEST(UnusedTransferSilent, TheNextDataIsSentAhead) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
h2d A x 256 #x{i}
launch rw=A
end
h2d A y 256 #y at=3)"),
              IsEmpty());
}

TEST(UnusedTransfer, BetweenDevices) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256 dev=1
launch w=A
d2d B A 256
launch dev=1
free B)"),
              ElementsAre("4: unused-transfer proven freed 1x 256 B (6)"));
}

// A result in pinned memory, and how it went.
std::string downloaded(const std::string& rest) {
  return "alloc A 256\nalloc P 256 pinned\nlaunch w=A\nd2h P A 256 #a id=1\n" + rest;
}

TEST(UnusedTransfer, NoHostCodeLooksAtWhatWasDownloaded) {
  for (const char* rest : {"unread P 256 id=1", "launch rw=A\nunread P 256 id=1\nd2h P A 256 #b",
                           "h2d A x 256 #b\nlaunch r=A skipped only\nunread P 256 id=1\nfree P"})
    EXPECT_THAT(findings_of(downloaded(rest)),
                ElementsAre("4: unused-transfer proven nobody-looked 1x 256 B"))
        << rest;
}

TEST(UnusedTransferSilent, ADownloadThatSomethingElseMayRead) {
  EXPECT_THAT(findings_of(downloaded("free P")), IsEmpty()) << "nobody said that it was unread";
  for (const char* reader :
       {"alloc B 128\nh2d B P+64 64 #p\nlaunch r=B", "launch r=P", "launch r=P+200:8 skipped only",
        "launch r=A skipped", "launch r=A all skipped only", "dropped 1"})
    EXPECT_THAT(findings_of(downloaded(std::string(reader) + "\nunread P 256 id=1")), IsEmpty())
        << reader;
}

TEST(UnusedTransferSilent, AnotherDownloadCameInBetween) {
  EXPECT_THAT(findings_of(downloaded("launch rw=A\nd2h P A 256 #b id=2\nunread P 256 id=1")),
              IsEmpty());
}

TEST(UnusedTransferSilent, ARepeatedDownloadIsTheOtherRules) {
  EXPECT_THAT(findings_of(downloaded("d2h P A 256 #a id=2\nunread P 256 id=2")),
              ElementsAre("5: repeated-transfer content-duplicate downloaded-before 1x 256 B (4)"));
}

TEST(UnusedTransferSilent, AProgramThatEndedBeforeItComputed) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x)"),
              IsEmpty());
}

// A model's counters move with its weights.
TEST(UnusedTransferSilent, AFewBytesThatMoveAlongWithWhatIsUsed) {
  EXPECT_THAT(findings_of(R"(alloc W 4096
alloc N 8
h2d W w 4096 #w at=50
h2d N n 8 #n at=50
launch r=W
free N
free W)"),
              IsEmpty());
}

TEST(UnusedTransferSilent, AKernelMayRead) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
launch r=A
h2d A y 256 #y
launch rw=A
free A)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
launch all
free A)"),
              IsEmpty());
}

TEST(UnusedTransferSilent, ACopyReads) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
h2d A x 256 #x
d2d B A 256
free A
launch r=B)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
d2h y A+255 1 #y
free A)"),
              IsEmpty());
}

TEST(UnusedTransferSilent, APartIsReadBeforeTheRestIsOverwritten) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
h2d A y 128 #y
launch r=A
h2d A y 256 #z
launch r=A)"),
              IsEmpty());
}

TEST(UnusedTransferSilent, APartIsNeverOverwritten) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
h2d A y 255 #y
launch r=A)"),
              IsEmpty());
}

TEST(UnusedTransferSilent, StridedCopiesLeaveGaps) {
  // Column blocks of one matrix: the ranges overlap, the bytes do not.
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 64 #x extent=224
h2d A+32 x 64 #y extent=224
launch r=A)"),
              IsEmpty());
}

TEST(UnusedTransferSilent, AKernelThatWasLaunchedBeforeMayStillRead) {
  EXPECT_THAT(findings_of(R"(stream 1 nonblocking
alloc A 256
launch r=A stream=1
h2d A x 256 #x async
h2d A x 256 #y async
sync device
launch r=A)"),
              ElementsAre());
}

TEST(UnusedTransferSilent, LostEventsMayHaveBeenKernels) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
dropped 4
h2d A y 256 #y
free A
launch)"),
              IsEmpty());
}

TEST(UnusedTransferSilent, AnAllocationOverItMeansThatWeMissedTheFree) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
alloc A 512
launch)"),
              IsEmpty());
}

// NAMD's submitHalf: cleared twice on purpose. Fills are cheap, and nothing crosses the border.
TEST(UnusedTransferSilent, DeliberateZeroing) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
  set A 256
  set A 256
  launch rw=A
end)"),
              IsEmpty());
}

// PolyBench 2mm :211, 3mm, bicg, Rodinia huffman :110: the kernel only writes there. It may leave
// out what the upload then shows, a border say.
TEST(UnusedTransferSilent, AKernelThatOnlyWrites) {
  EXPECT_THAT(findings_of("alloc A 256\nh2d A x 256 #x\nlaunch w=A only\nd2h y A 256 #y"),
              IsEmpty());
}

// Rodinia cfd :551 and :570: within a device.
TEST(UnusedTransferSilent, CopiesWithinADeviceThatChangeNothing) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
h2d A x 256 #x
repeat 2
  d2d B A 256
  launch r=A r=B
end)"),
              IsEmpty());
}

TEST(UnusedTransferSilent, ARepeatIsNotAlsoUnused) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
h2d A x 256 #x
launch r=A)"),
              ElementsAre("3: repeated-transfer proven held-already 1x 256 B (2)"));
}

TEST(UnusedTransfer, ResultsOfAllDevicesThatNobodyLooksAtAreOneFinding) {
  EXPECT_THAT(findings_of(R"(alloc P 256 pinned
alloc A 256 dev=0
alloc B 256 dev=1
launch rw=A
launch rw=B dev=1
d2h P A 128 async id=1 at=7
d2h P+128 B 128 async dev=1 id=2 at=7
sync device
unread P 128 id=1
unread P+128 128 id=2)"),
              Contains("7: unused-transfer proven nobody-looked 2x 256 B"));
}

}  // namespace
}  // namespace xfer::test
