#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(NeedlessSync, NothingIsUnderWay) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
  launch w=A
  d2h x A 256
  sync device
end)"),
              ElementsAre("5: needless-sync proven nothing-under-way 3x 0 B"));
}

// Rodinia backprop :130, streamcluster :257.
TEST(NeedlessSync, RightBeforeACopyThatWaits) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch w=A only
sync device
d2h x A 256)"),
              ElementsAre("3: needless-sync look-alike nothing-to-see 1x 0 B (4)"));
}

// Rodinia gaussian :390 and :392, PolyBench.
TEST(NeedlessSync, BetweenKernelsOfOneStream) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 4
  launch rw=A only
  sync device at=40
end
d2h x A 256)"),
              ElementsAre("40: needless-sync look-alike nothing-to-see 4x 0 B (40)"));
  EXPECT_THAT(findings_of(R"(alloc A 256
stream 1 nonblocking
launch rw=A stream=1 only
sync stream=1
launch rw=A stream=1 only
sync stream=1
launch rw=A stream=1 only)"),
              ElementsAre("4: needless-sync look-alike nothing-to-see 1x 0 B (6)"));
}

// A training step of PyTorch: backward passes run in another thread, and freed blocks are reused.
TEST(NeedlessSync, AfterEachStepOfAnotherThreadToo) {
  EXPECT_THAT(findings_of(R"(alloc P 8192
alloc A 256
repeat 3
  alloc P+4096 64 block
  launch r=A w=P+4096 only thread=1
  launch rw=A only thread=2
  set A 256 thread=2
  free P+4096 block
  sync device thread=1 at=40
end
d2h x A 256)"),
              ElementsAre("40: needless-sync look-alike nothing-to-see 2x 0 B (40)"));
}

// Rodinia streamcluster :257, with its times measured: the event would be where it is without.
TEST(NeedlessSync, RightBeforeAnEventThatIsWaitedFor) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
  record 1
  launch rw=A only
  sync device
  record 2
  sync event=2
  d2h x A 256
end)"),
              ElementsAre("5: needless-sync look-alike nothing-to-see 3x 0 B (7)"));
}

// As Diogenes calls it, misplaced: the wait could come later.
TEST(NeedlessSync, NothingIsLookedAtBeforeTheNextWait) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc P 256 pinned
alloc Q 256 pinned
repeat 3
  launch rw=A only
  d2h P A 256 async id=1{i}
  sync device
  launch rw=A only
  d2h Q A 256 async id=2{i}
  unseen P 256 id=1{i}
  unseen Q 256 id=2{i}
  sync stream
end)"),
              ElementsAre("7: needless-sync look-alike looked-at-later 3x 0 B (12)"));
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc P 256 pinned
repeat 2
  d2h P A 256 async id=1{i}
  sync device
  unseen P 256 id=1{i}
  d2h x A 256
  launch rw=A only
end)"),
              ElementsAre("5: needless-sync look-alike looked-at-later 2x 0 B (7)"));
}

TEST(NeedlessSync, KernelsInManagedMemoryWhereTheHostDoesNotLook) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc M 256 managed
repeat 3
  launch r=A rw=M only id=1{i}
  unseen M 256 id=1{i}
  sync device
  launch rw=M only id=2{i}
  unseen M 256 id=1{i}
  unseen M 256 id=2{i}
  sync device
end)"),
              ElementsAre("6: needless-sync look-alike looked-at-later 3x 0 B (10)"));
}

TEST(NeedlessSyncSilent, TheHostLooksInManagedMemory) {
  for (const char* second : {"unseen M 256 id=2{i}", ""})
    EXPECT_THAT(findings_of(R"(alloc M 256 managed
repeat 3
  launch rw=M only id=1{i}
  unseen M 256 id=1{i}
  sync device
  launch rw=M only id=2{i}
  )" + std::string(second) + "\n  sync device\nend"),
                IsEmpty())
        << second;
}

// The wait moves to the next call: what is won is the host's work in between.
TEST(NeedlessSync, WhatIsWonIsNotTheWait) {
  Engine engine;
  for (const Event& event : parse_trace(R"(alloc A 256
launch w=A only
sync device ns=100000
launch rw=A only ns=700
d2h x A 256 ns=2000)"))
    engine.add(event);
  const auto findings = engine.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cost.host_ns, 100000u);
  EXPECT_EQ(findings[0].cost.saving_ns, 700u);
}

TEST(NeedlessSyncSilent, TheHostReadsWhatAnAsynchronousCopyBrought) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc P 256 pinned
repeat 3
  launch rw=A only
  d2h P A 256 async
  sync device
end)"),
              IsEmpty());
}

TEST(NeedlessSyncSilent, ASingleWaitThatCouldComeLater) {
  EXPECT_THAT(findings_of("alloc A 256\nalloc P 256 pinned\nd2h P A 256 async id=1\n"
                          "sync device\nunseen P 256 id=1\nd2h x A 256"),
              IsEmpty());
}

// Two results, twice; `rest` says what the host sees of them, and where it waits again.
std::vector<std::string> results_seen(const std::string& rest) {
  return findings_of(R"(alloc A 256
alloc P 256 pinned
alloc Q 256 pinned
stream 1 nonblocking
repeat 2
  launch rw=A only
  d2h P A 256 async id=1{i}
  d2h Q A 256 async id=2{i}
  sync device
)" + rest + "\nend");
}

TEST(NeedlessSyncSilent, OneOfTheResultsIsLookedAt) {
  const std::string none = "unseen P 256 id=1{i}\nunseen Q 256 id=2{i}\n";
  const std::string later = "needless-sync look-alike looked-at-later";
  EXPECT_THAT(results_seen(none + "sync device"), Contains(HasSubstr(later))) << "none is";
  for (const std::string& rest : std::vector<std::string>{
           "sync device", "unseen P 256 id=1{i}\nsync device",
           "unseen P 256 id=2{i}\nunseen Q 256 id=3{i}\nsync device",
           none + "launch rw=A only\nsync device", none + "sync device async\nsync device",
           none + "sync device thread=1", none + "sync stream=1", none + "sync device failed",
           none + "d2h Q A 256 async\nsync device"})
    EXPECT_THAT(results_seen(rest), Not(Contains(HasSubstr(later)))) << rest;
}

TEST(NeedlessSyncSilent, TheHostWritesAgainWhereACopyComesFrom) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc P 256 pinned
repeat 3
  h2d A P 256 async #{i}
  sync device
  launch rw=A only
end
sync device)"),
              IsEmpty());
}

// How tensor libraries make a copy that waits.
TEST(NeedlessSyncSilent, ItMakesAnAsynchronousCopyWait) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
  h2d A x 256 async #{i}
  sync stream
  launch rw=A only
end
d2h y A 256)"),
              IsEmpty());
}

TEST(NeedlessSyncSilent, KernelsOfUnknownCodeMayWriteWhatTheHostReads) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch rw=A
sync device
d2h x A 256)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc A 256
launch rw=A only all
sync device
d2h x A 256)"),
              IsEmpty());
}

TEST(NeedlessSyncSilent, KernelsThatWriteManagedOrPinnedMemory) {
  for (const char* space : {"managed", "pinned"})
    EXPECT_THAT(findings_of(std::string("alloc A 256\nalloc M 256 ") + space + R"(
launch r=A w=M only
sync device
d2h x A 256)"),
                IsEmpty());
}

TEST(NeedlessSyncSilent, ItOrdersTheWorkOfTwoStreams) {
  EXPECT_THAT(findings_of(R"(alloc A 256
stream 1 nonblocking
stream 2 nonblocking
repeat 3
  launch w=A stream=1 only
  sync stream=1
  launch rw=A stream=2 only
  sync stream=2
end)"),
              IsEmpty());
}

TEST(NeedlessSyncSilent, AnEventIsTheClock) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch rw=A only
sync device
record 1
launch rw=A only
record 2
sync device
sync event=2 async
d2h x A 256)"),
              IsEmpty());
}

TEST(NeedlessSync, TheClockIsReadAfterTheNextWait) {
  EXPECT_THAT(findings_of(R"(alloc A 256
record 1
launch rw=A only
record 2
sync device
d2h x A 256
sync event=2 async)"),
              ElementsAre("5: needless-sync look-alike nothing-to-see 1x 0 B (6)"));
}

// How most programs time their kernels.
TEST(NeedlessSyncSilent, AClockIsReadBeforeTheNextWait) {
  const std::string timed = R"(alloc A 256
repeat 3
  launch rw=A only
  sync device
  launch rw=A only
  )";
  EXPECT_THAT(findings_of(timed + "clock\n  sync device\n  clock\nend\nd2h x A 256"), IsEmpty());
  EXPECT_THAT(findings_of(timed + "clock\n  sync device\nend\nclock\nd2h x A 256"),
              ElementsAre("7: needless-sync look-alike nothing-to-see 2x 0 B (4)"))
      << "none after this line";
}

TEST(NeedlessSyncSilent, AClockIsReadAfterAWaitForNothing) {
  const std::string timed = "alloc A 256\nrepeat 3\n  d2h x A 256\n  sync device\n";
  EXPECT_THAT(findings_of(timed + "  clock\n  launch rw=A only\nend\nd2h x A 256"), IsEmpty());
  EXPECT_THAT(findings_of("alloc A 256\nlaunch rw=A\n" + timed + "  clock\nend"), IsEmpty());
  EXPECT_THAT(findings_of("alloc A 256\nlaunch rw=A\n" + timed + "end"),
              ElementsAre("6: needless-sync proven nothing-under-way 3x 0 B"));
}

// The event's stream does not wait for the kernel.
TEST(NeedlessSyncSilent, AnEventOfAnotherStreamIsWaitedFor) {
  EXPECT_THAT(findings_of(R"(alloc A 256
stream 1 nonblocking
stream 2 nonblocking
launch rw=A only stream=1
sync device
record 2 stream=2
sync event=2
free A)"),
              IsEmpty());
}

TEST(NeedlessSyncSilent, TheEventMeasuresSomethingElse) {
  for (const char* rest : {"record 2\nsync event=1", "record 2\nsync event=2 async",
                           "record 2\nsync event=2 thread=7", "record 2\nhostfunc\nsync event=2",
                           "record 2\nlaunch rw=A only\nsync event=2", "sync event=1"})
    EXPECT_THAT(findings_of(std::string("alloc A 256\nrecord 1\nlaunch rw=A only\nsync device\n") +
                            rest + "\nfree A"),
                IsEmpty())
        << rest;
}

TEST(NeedlessSyncSilent, ItIsTheLastOne) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch rw=A only
sync device
free A)"),
              IsEmpty());
}

TEST(NeedlessSyncSilent, ItInitialisesTheDevice) {
  EXPECT_THAT(findings_of(R"(sync device
sync device at=1
alloc A 256
launch rw=A only)"),
              IsEmpty());
}

TEST(NeedlessSyncSilent, ASingleOneWithNothingUnderWay) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch w=A
d2h x A 256
sync device)"),
              IsEmpty());
}

TEST(NeedlessSyncSilent, AnotherThreadGoesOn) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch rw=A only thread=1
sync device thread=1
h2d A y 256 thread=2
sync device thread=1)"),
              Not(Contains(HasSubstr("needless-sync"))));
}

TEST(NeedlessSyncSilent, APoll) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch rw=A only
repeat 5
  sync stream async
end
launch rw=A only
sync device
free A)"),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
