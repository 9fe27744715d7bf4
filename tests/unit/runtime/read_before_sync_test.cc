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

TEST(ReadBeforeSync, TheHostTouchesTheDestination) {
  for (const char* touch : {"read P+16", "write P"})
    EXPECT_THAT(findings_of(while_downloading(touch)),
                ElementsAre("8: read-before-sync proven host-reads-pending 1x 256 B (7)"))
        << touch;
}

TEST(ReadBeforeSync, AnUploadOnAnotherStreamTakesIt) {
  for (const char* upload : {"h2d B P 256 async stream=2", "h2d B P 256"})
    EXPECT_THAT(findings_of(while_downloading(upload)),
                ElementsAre("8: read-before-sync proven copied-pending 1x 256 B (7)"))
        << upload;
}

TEST(ReadBeforeSync, ACopyOnAnotherStreamTakesWhatIsOnItsWayToTheDevice) {
  for (const char* copy : {"d2d B A+128 128 async stream=2", "d2h Q A 64 async stream=2"})
    EXPECT_THAT(findings_of(while_uploading(copy)),
                Contains("8: read-before-sync proven copied-pending 1x 256 B (7)"))
        << copy;
}

TEST(ReadBeforeSync, WorkOnAnotherStreamOverwritesIt) {
  for (const char* work : {"set A+16 64 async stream=2", "set A 256", "h2d A x 256 async stream=2",
                           "d2d A B 256 stream=2"})
    EXPECT_THAT(findings_of(while_uploading(work)),
                Contains("8: read-before-sync proven overwritten-pending 1x 256 B (7)"))
        << work;
  EXPECT_THAT(findings_of(while_downloading("set P 256 async stream=2")),
              ElementsAre("8: read-before-sync proven overwritten-pending 1x 256 B (7)"));
}

TEST(ReadBeforeSync, AKernelOnAnotherStreamIsGivenIt) {
  for (const char* launch : {"launch r=A w=B stream=2 only", "launch rw=A stream=2",
                             "launch r=A+64:32 w=B stream=2", "launch r=A w=B"})
    EXPECT_THAT(findings_of(while_uploading(launch)),
                ElementsAre("8: read-before-sync look-alike launched-pending 1x 256 B (7)"))
        << launch;
}

TEST(ReadBeforeSync, AKernelOnAnotherStreamIsGivenThePinnedMemory) {
  for (const char* launch :
       {"launch r=P w=B stream=2 only", "launch rw=P stream=2", "launch r=P+64:32 stream=2"})
    EXPECT_THAT(findings_of(while_downloading(launch)),
                ElementsAre("8: read-before-sync look-alike launched-pending 1x 256 B (7)"))
        << launch;
}

TEST(ReadBeforeSync, ABufferThatBeginsWhereItsNeighbourEnds) {
  EXPECT_THAT(findings_of(pending_trace("alloc 0x7e0001000000 256\nalloc 0x7e0001000100 256 at=7",
                                        "h2d 0x7e0001000100 P 256 async stream=1\n"
                                        "launch r=0x7e0001000100 w=B stream=2")),
              ElementsAre("10: read-before-sync look-alike launched-pending 1x 256 B (9)"));
}

TEST(ReadBeforeSync, AnotherStreamWasWaitedFor) {
  EXPECT_THAT(findings_of(while_downloading("launch w=B stream=2 only\nsync stream=2\nread P")),
              ElementsAre("10: read-before-sync proven host-reads-pending 1x 256 B (7)"));
}

TEST(ReadBeforeSync, AnEventThatWasRecordedBefore) {
  EXPECT_THAT(findings_of(pending_trace("record 5 stream=1",
                                        "d2h P A 256 async stream=1\nsync event=5\nread P")),
              ElementsAre("10: read-before-sync proven host-reads-pending 1x 256 B (8)"));
}

TEST(ReadBeforeSync, TheSameCopyAgainOnTheSameStream) {
  EXPECT_THAT(findings_of(while_uploading(kStream2Waits +
                                          "h2d A P 256 async stream=1\nlaunch r=A w=B stream=2")),
              Contains("11: read-before-sync look-alike launched-pending 1x 256 B (10)"));
}

TEST(ReadBeforeSync, AnAllocationPromisesNoWait) {
  for (const char* allocation : {"alloc C 16", "alloc Q 16 pinned"})
    EXPECT_THAT(findings_of(while_downloading(std::string(allocation) + "\nread P")),
                ElementsAre("9: read-before-sync proven host-reads-pending 1x 256 B (7)"))
        << allocation;
}

TEST(ReadBeforeSync, AFillAndACopyWithinADeviceArePending) {
  const std::string head = "alloc A 256\nalloc B 256\nstream 1 nonblocking\nstream 2 nonblocking\n";
  EXPECT_THAT(findings_of(head + "set A 256 async stream=1\nlaunch r=A:64 plain stream=2 only"),
              ElementsAre("6: read-before-sync proven launched-pending of-fill 1x 256 B (5)"));
  EXPECT_THAT(findings_of(head + "d2d B A 256 async stream=1\nlaunch w=B:64 plain stream=2 only"),
              ElementsAre("6: read-before-sync proven launched-over-pending 1x 256 B (5)"));
}

TEST(ReadBeforeSyncSilent, AnythingThatWaitsForTheCopy) {
  std::vector<std::string> waits = kWaitsForStream1;
  for (const char* more : {"d2h y A 16 stream=1", "free B"}) waits.push_back(more);
  for (const std::string& wait : waits) {
    EXPECT_THAT(findings_of(while_downloading(wait + "\nread P at=99")),
                Not(Contains(HasSubstr("read-before-sync"))))
        << wait;
    EXPECT_THAT(findings_of(while_uploading(wait + "\nset A 256 async stream=2\nlaunch r=A")),
                Not(Contains(HasSubstr("read-before-sync"))))
        << wait;
  }
}

TEST(ReadBeforeSyncSilent, AFillOfPinnedMemoryWaits) {
  EXPECT_THAT(findings_of(while_downloading("alloc Q 64 pinned async\nset Q 64 stream=1\nread P")),
              IsEmpty());
  EXPECT_THAT(findings_of(while_downloading("alloc Q 64 pinned async\nset Q 64 stream=2\nread P")),
              ElementsAre("10: read-before-sync proven host-reads-pending 1x 256 B (7)"));
}

TEST(ReadBeforeSyncSilent, OrderBetweenStreams) {
  for (const char* work : {"h2d B P 256 async stream=2", "set P 256 async stream=2"})
    EXPECT_THAT(findings_of(while_downloading(kStream2Waits + work + "\nlaunch r=B stream=2")),
                IsEmpty())
        << work;
  EXPECT_THAT(findings_of(while_downloading("h2d B P 256 async stream=1\nlaunch r=B stream=1")),
              IsEmpty());
  for (const char* work :
       {"set A 256 async stream=2", "launch r=A w=B stream=2", "d2d B A 256 async stream=2"})
    EXPECT_THAT(findings_of(while_uploading(kStream2Waits + work)),
                Not(Contains(HasSubstr("read-before-sync"))))
        << work;
  EXPECT_THAT(findings_of(while_uploading("launch r=A w=B stream=1")), IsEmpty());
}

TEST(ReadBeforeSyncSilent, TheDefaultStreamWaitsForBlockingOnes) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
alloc P 256 pinned
stream 1
launch w=A stream=1 only
d2h P A 256 async stream=1
h2d B P 256 #a
d2h P A 256 async stream=1
sync stream
h2d A P 256 #b async stream=1
launch r=A w=B
sync stream
read P)"),
              IsEmpty());
}

TEST(ReadBeforeSyncSilent, TheHostMayHaveBeenTold) {
  for (const std::string& told : kMayTellTheHost)
    EXPECT_THAT(findings_of(while_downloading(told + "\nread P")), IsEmpty()) << told;
}

// Each stream has a part of the buffer, and its kernel finds its own.
TEST(ReadBeforeSyncSilent, AKernelIsGivenABufferOfWhichAPartIsOnItsWay) {
  EXPECT_THAT(findings_of(pending_trace("h2d A P 128 async stream=1",
                                        "h2d A+128 P+128 128 async stream=2\n"
                                        "launch r=A w=B stream=1\nlaunch r=A w=B stream=2")),
              IsEmpty());
  EXPECT_THAT(findings_of(while_uploading("launch r=B:64 w=B+64:64 stream=2 only\n"
                                          "launch r=A w=B stream=1")),
              IsEmpty());
}

TEST(ReadBeforeSyncSilent, PinnedMemoryOfWhichAPartIsOnItsWayOrThatIsGone) {
  EXPECT_THAT(findings_of(pending_trace("d2h P A 128 async stream=1", "launch r=P w=B stream=2")),
              IsEmpty());
  EXPECT_THAT(findings_of(while_downloading("free P\nlaunch r=P w=B stream=2")),
              Not(Contains(HasSubstr("read-before-sync"))));
  EXPECT_THAT(findings_of(while_downloading(kStream2Waits + "launch r=P w=B stream=2")), IsEmpty());
  EXPECT_THAT(findings_of(while_uploading("launch r=P w=B stream=2 only\nlaunch r=A stream=1")),
              IsEmpty());
}

TEST(ReadBeforeSyncSilent, OnePastTheEndOfItsNeighbour) {
  EXPECT_THAT(findings_of(pending_trace("alloc 0x7e0001000000 256\nalloc 0x7e0001000100 256 at=7",
                                        "h2d 0x7e0001000100 P 256 async stream=1\n"
                                        "launch r=0x7e0001000000 r=0x7e0001000100 w=B stream=2\n"
                                        "launch r=0x7e0001000100 w=B stream=1")),
              IsEmpty());
}

TEST(ReadBeforeSyncSilent, OtherMemoryLiesThereNow) {
  EXPECT_THAT(findings_of(pending_trace("alloc C 256 async stream=1",
                                        "h2d C P 256 async stream=1\nlaunch r=C w=B stream=1\n"
                                        "free C async stream=1\nalloc C 256 async stream=2\n"
                                        "launch w=C stream=2 only\nset C 256 async stream=2")),
              IsEmpty());
}

TEST(ReadBeforeSyncSilent, OtherMemory) {
  EXPECT_THAT(findings_of(while_downloading("alloc Q 64 pinned registered")), IsEmpty());
  EXPECT_THAT(findings_of(pending_trace("d2h P A 64 async stream=1",
                                        "read P+64\nh2d B P+64 64 async stream=2\n"
                                        "set P+64 64 async stream=2")),
              IsEmpty());
  EXPECT_THAT(findings_of(while_uploading("set B 256 async stream=2\nlaunch rw=B stream=2\n"
                                          "launch r=A w=B stream=1")),
              IsEmpty());
}

TEST(ReadBeforeSyncSilent, PageableMemoryHasArrived) {
  EXPECT_THAT(findings_of(pending_trace("d2h x A 256 async stream=1", "read x\nh2d B x 256")),
              Not(Contains(HasSubstr("read-before-sync"))));
}

TEST(ReadBeforeSyncSilent, StreamsThatWereNotSeenToBeMade) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
alloc P 256 pinned
launch w=A stream=1 only
d2h P A 256 async stream=1
h2d B P 256 async stream=2
set P 256 async stream=2
launch r=B)"),
              IsEmpty());
  for (const char* work : {"h2d B P 256 async stream=2", "set P 256 async stream=2"})
    EXPECT_THAT(findings_of(while_downloading(std::string("wait 77 stream=2\n") + work)),
                IsEmpty());
}

TEST(ReadBeforeSyncSilent, ALaunchThatWasRefused) {
  EXPECT_THAT(findings_of(while_uploading("launch r=A w=B stream=2 failed\n"
                                          "launch r=A w=B stream=1")),
              IsEmpty());
}

TEST(ReadBeforeSyncSilent, EventsWereLost) {
  EXPECT_THAT(findings_of(while_downloading("dropped 1\nread P")), IsEmpty());
}

TEST(ReadBeforeSyncSilent, ACopyBetweenDevicesOnTheDefaultStreamWaitsForBoth) {
  const std::string head =
      "alloc A 256 dev=0\nalloc B 256 dev=1\nstream 1 nonblocking dev=0\nstream 2 nonblocking "
      "dev=1\nset A 256 async stream=1 dev=0\n";
  for (const char* wait : {"", " async"})
    EXPECT_THAT(findings_of(head + "d2d B A 256" + wait + "\nlaunch r=B plain stream=2 dev=1 only"),
                IsEmpty())
        << wait;
  EXPECT_THAT(findings_of(head + "d2d B A 256 async stream=2\nlaunch r=B stream=2 dev=1 only"),
              Contains(HasSubstr("read-before-sync proven copied-pending")));
}

}  // namespace
}  // namespace xfer::test
