#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Two streams that do not wait for the default stream; P is pinned.
std::string with_streams(const std::string& rest) {
  return "alloc A 256\nalloc B 256\nalloc P 256 pinned\nstream 1 nonblocking\nstream 2 "
         "nonblocking\nlaunch w=A stream=1 only\n" +
         rest;
}

constexpr const char* kDownload = "d2h P A 256 async stream=1\n";

TEST(ReadBeforeSync, TheHostReadsTheDestination) {
  EXPECT_THAT(findings_of(with_streams(std::string(kDownload) + "read P+16")),
              ElementsAre("8: read-before-sync proven host-reads-pending 1x 256 B (7)"));
}

TEST(ReadBeforeSync, TheHostWritesThere) {
  EXPECT_THAT(findings_of(with_streams(std::string(kDownload) + "write P")),
              ElementsAre("8: read-before-sync proven host-reads-pending 1x 256 B (7)"));
}

TEST(ReadBeforeSync, AnUploadOnAnotherStreamTakesIt) {
  EXPECT_THAT(findings_of(with_streams(std::string(kDownload) + "h2d B P 256 async stream=2")),
              ElementsAre("8: read-before-sync proven uploaded-pending 1x 256 B (7)"));
}

TEST(ReadBeforeSync, AWaitingUploadOnTheDefaultStreamTakesIt) {
  EXPECT_THAT(findings_of(with_streams(std::string(kDownload) + "h2d B P 256")),
              ElementsAre("8: read-before-sync proven uploaded-pending 1x 256 B (7)"));
}

TEST(ReadBeforeSync, AnotherStreamWasWaitedFor) {
  EXPECT_THAT(findings_of(with_streams(std::string(kDownload) +
                                       "launch w=B stream=2 only\nsync stream=2\nread P")),
              ElementsAre("10: read-before-sync proven host-reads-pending 1x 256 B (7)"));
}

TEST(ReadBeforeSync, AnEventThatWasRecordedBefore) {
  EXPECT_THAT(findings_of(with_streams("record 5 stream=1\n" + std::string(kDownload) +
                                       "sync event=5\nread P")),
              ElementsAre("10: read-before-sync proven host-reads-pending 1x 256 B (8)"));
}

TEST(ReadBeforeSyncSilent, AnythingThatWaitsForTheCopy) {
  for (const char* wait :
       {"sync stream=1", "sync device", "sync stream=1 async", "record 5 stream=1\nsync event=5",
        "record 5 stream=1\nsync event=5 async",
        "record 5 stream=1\nwait 5 stream=2\nsync stream=2", "d2h y A 16 stream=1", "free B",
        "alloc C 16", "alloc Q 16 pinned"})
    EXPECT_THAT(findings_of(with_streams(std::string(kDownload) + wait + "\nread P at=99")),
                testing::Not(testing::Contains(testing::HasSubstr("read-before-sync"))))
        << wait;
}

TEST(ReadBeforeSyncSilent, OrderBetweenStreams) {
  EXPECT_THAT(
      findings_of(with_streams(std::string(kDownload) + "record 5 stream=1\nwait 5 stream=2\n"
                                                        "h2d B P 256 async stream=2")),
      IsEmpty());
  EXPECT_THAT(findings_of(with_streams(std::string(kDownload) + "h2d B P 256 async stream=1")),
              IsEmpty());
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
read P)"),
              IsEmpty());
}

TEST(ReadBeforeSyncSilent, TheHostMayHaveBeenTold) {
  for (const char* told : {"hostfunc stream=1", "launch all stream=1", "launch w=P stream=1",
                           "launch w=flag stream=1"})
    EXPECT_THAT(findings_of(with_streams(std::string(kDownload) + told + "\nread P")), IsEmpty())
        << told;
}

TEST(ReadBeforeSyncSilent, OtherMemory) {
  EXPECT_THAT(findings_of(with_streams(std::string(kDownload) + "alloc Q 64 pinned registered\n")),
              IsEmpty());
  EXPECT_THAT(findings_of(with_streams("d2h P A 64 async stream=1\nread P+64\nh2d B P+64 64 async "
                                       "stream=2")),
              IsEmpty());
}

TEST(ReadBeforeSyncSilent, PageableMemoryHasArrived) {
  EXPECT_THAT(findings_of(with_streams("d2h x A 256 async stream=1\nread x\nh2d B x 256")),
              testing::Not(testing::Contains(testing::HasSubstr("read-before-sync"))));
}

TEST(ReadBeforeSyncSilent, StreamsThatWereNotSeenToBeMade) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
alloc P 256 pinned
launch w=A stream=1 only
d2h P A 256 async stream=1
h2d B P 256 async stream=2)"),
              IsEmpty());
  EXPECT_THAT(findings_of(with_streams(std::string(kDownload) +
                                       "wait 77 stream=2\nh2d B P 256 async stream=2")),
              IsEmpty());
}

TEST(ReadBeforeSyncSilent, EventsWereLost) {
  EXPECT_THAT(findings_of(with_streams(std::string(kDownload) + "dropped 1\nread P")), IsEmpty());
}

}  // namespace
}  // namespace xfer::test
