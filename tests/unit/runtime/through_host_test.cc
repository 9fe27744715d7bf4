// round-trip, on to another device: what one device gives the host, which passes it on as it is.

#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Two stages, each on a device of its own; `between` is line 5 and what follows.
std::string pipeline(int steps, const std::string& between) {
  return "alloc A 1024 dev=0\nalloc B 1024 dev=1\nrepeat " + std::to_string(steps) +
         "\nlaunch rw=A dev=0\n" + between + "\nlaunch r=B dev=1 at=99\nend\n";
}

TEST(ThroughHost, ActivationsOnEachStep) {
  EXPECT_THAT(findings_of(pipeline(5, "d2h x A 1024 #r{i}\nh2d B x 1024 #r{i}")),
              ElementsAre("6: round-trip content-duplicate through-the-host 5x 10240 B (5)"));
}

TEST(ThroughHost, AResultThatIsFreedOnTheWay) {
  EXPECT_THAT(findings_of("alloc P 65536 dev=0\n" +
                          pipeline(5,
                                   "alloc P+512 512 dev=0 block\nlaunch w=P+512 dev=0\n"
                                   "d2h x P+512 512 #r{i}\nfree P+512 block\n"
                                   "h2d B x 512 #r{i}")),
              ElementsAre("10: round-trip content-duplicate through-the-host 5x 5120 B (8)"));
}

TEST(ThroughHost, ByPinnedMemory) {
  EXPECT_THAT(findings_of("alloc P 1024 pinned\n" +
                          pipeline(5,
                                   "d2h P A 1024 async id={i}\nsync stream dev=0\n"
                                   "content {i} #r{i}\nh2d B P 1024 #r{i} async dev=1\n"
                                   "sync stream dev=1")),
              ElementsAre("9: round-trip content-duplicate through-the-host 5x 10240 B (6)"));
}

// All come to the host, then all go on.
TEST(ThroughHost, WeightsOnEachStep) {
  EXPECT_THAT(findings_of(pipeline(4,
                                   "d2h x A 512 #a{i} at=11\nd2h y A+512 64 #b{i} at=11\n"
                                   "h2d B x 512 #a{i} at=12\nh2d B+512 y 64 #b{i} at=12")),
              ElementsAre("12: round-trip content-duplicate through-the-host 8x 4608 B (11)"));
}

TEST(ThroughHostSilent, TheHostChangesIt) {
  EXPECT_THAT(findings_of(pipeline(9, "d2h x A 1024 #r{i}\nh2d B x 1024 #mean{i}")), IsEmpty());
}

TEST(ThroughHostSilent, ACheckpointMovesOnce) {
  EXPECT_THAT(findings_of("alloc A 65536 dev=0\nalloc B 65536 dev=1\nlaunch w=A dev=0\n"
                          "repeat 30\nd2h x{i} A+{i}000 1000 #w{i}\nend\n"
                          "repeat 30\nh2d B+{i}000 x{i} 1000 #w{i}\nend\nlaunch r=B dev=1"),
              IsEmpty());
  EXPECT_THAT(findings_of(pipeline(2, "d2h x A 1024 #r{i}\nh2d B x 1024 #r{i}")), IsEmpty());
}

TEST(ThroughHostSilent, OneDownloadFeedsSeveralDevices) {
  EXPECT_THAT(
      findings_of("alloc C 1024 dev=2\n" + pipeline(9,
                                                    "d2h x A 1024 #r{i}\nh2d B x 1024 #r{i}\n"
                                                    "h2d C x 1024 #r{i}\nlaunch r=C dev=2")),
      IsEmpty());
}

// Data that is no longer on the device that made it waits on the host until another needs it.
TEST(ThroughHostSilent, AHostsCache) {
  EXPECT_THAT(findings_of("alloc A 65536 dev=0\nalloc B 65536 dev=1\n"
                          "repeat 9\nlaunch w=A dev=0\nd2h x{i} A 1000 #f{i}\nend\n"
                          "repeat 9\nh2d B x{i} 1000 #f{i}\nlaunch r=B dev=1\nend"),
              IsEmpty());
  EXPECT_THAT(findings_of("alloc P 65536 dev=0\nalloc B 65536 dev=1\nrepeat 9\n"
                          "alloc P+512 512 dev=0 block\nlaunch w=P+512 dev=0\n"
                          "d2h x P+512 512 #f{i}\nfree P+512 block\nlaunch dev=0\n"
                          "h2d B x 512 #f{i}\n"
                          "launch r=B dev=1\nend"),
              IsEmpty());
}

TEST(ThroughHostSilent, AFewBytes) {
  EXPECT_THAT(findings_of(pipeline(9, "d2h x A 4 #r{i}\nh2d B x 4 #r{i}")),
              Not(Contains(HasSubstr("round-trip"))));
}

TEST(ThroughHostSilent, WhatASkippedKernelWouldHaveWritten) {
  EXPECT_THAT(findings_of("alloc A 1024 dev=0\nalloc B 1024 dev=1\nrepeat 9\n"
                          "launch rw=A dev=0 skipped\nd2h x A 1024 #same\nh2d B x 1024 #same\n"
                          "launch rw=B dev=1\nend"),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
