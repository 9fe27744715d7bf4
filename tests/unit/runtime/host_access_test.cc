#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(HostAccess, DeviceMemoryIsReadOrWritten) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256 dev=1
read A+16
write B
touch A)"),
              ElementsAre("3: host-access proven host-reads 1x 0 B (1)",
                          "4: host-access proven host-writes 1x 0 B (2)",
                          "5: host-access proven host-touches 1x 0 B (1)"));
}

TEST(HostAccess, AlsoWhereTheProgramDied) {
  EXPECT_THAT(findings_of("alloc A 256\nlaunch w=A\nread A", Ending::kBrokenOff),
              ElementsAre("3: host-access proven host-reads 1x 0 B (1)"));
}

TEST(HostAccess, ABlockOfAnAllocator) {
  EXPECT_THAT(findings_of(R"(alloc POOL 65536
alloc POOL+512 256 block
read POOL+600)"),
              ElementsAre("3: host-access proven host-reads 1x 0 B (2)"));
}

TEST(HostAccessSilent, PastTheEndOfAnAllocation) {
  EXPECT_THAT(findings_of("alloc A 256\nread A+256\nwrite A+4096"), IsEmpty());
}

TEST(HostAccessSilent, MemoryThatTheHostMayTouch) {
  EXPECT_THAT(findings_of(R"(alloc M 256 managed
alloc P 256 pinned
read M
write P)"),
              IsEmpty());
}

TEST(HostAccessSilent, MemoryThatWasNotSeenToBeAllocated) {
  EXPECT_THAT(findings_of("read X\nwrite X+16"), IsEmpty());
}

TEST(HostAccessSilent, WhatWasKnownIsNotAnyMore) {
  EXPECT_THAT(findings_of("alloc A 256\ndropped 3\nread A"), IsEmpty());
}

}  // namespace
}  // namespace xfer::test
