#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WrongCurrentDevice, ALaunchOnAnotherDevicesStreamIsRefused) {
  EXPECT_THAT(findings_of(R"(stream 1 dev=1
alloc A 256
launch rw=A stream=1 dev=0 failed)"),
              ElementsAre("3: wrong-current-device proven stream-of-other 1x 0 B"));
}

TEST(WrongCurrentDevice, AKernelIsGivenAnotherDevicesMemory) {
  EXPECT_THAT(findings_of(R"(alloc A 256 dev=1
alloc B 256
repeat 3
  launch r=A+16 w=B dev=0
end)"),
              ElementsAre("4: wrong-current-device look-alike memory-of-other 3x 0 B (1)"));
}

TEST(WrongCurrentDevice, AccessTheOtherWayRoundIsNoAccess) {
  EXPECT_THAT(findings_of("alloc A 256 dev=1\npeer 0 dev=1\nlaunch r=A dev=0"),
              ElementsAre("3: wrong-current-device look-alike memory-of-other 1x 0 B (1)"));
}

TEST(WrongCurrentDeviceSilent, AccessIsEnabled) {
  EXPECT_THAT(findings_of("alloc A 256 dev=1\npeer 1 dev=0\nlaunch r=A dev=0"), IsEmpty());
  EXPECT_THAT(findings_of("alloc A 256 dev=1\npeer -1 dev=0\nlaunch r=A dev=0"), IsEmpty());
}

TEST(WrongCurrentDeviceSilent, RefusedForAnotherReason) {
  EXPECT_THAT(findings_of("stream 1 dev=1\nlaunch stream=1 dev=1 failed\nlaunch dev=0 failed\n"
                          "launch stream=7 failed"),
              IsEmpty());
}

TEST(WrongCurrentDeviceSilent, CopiesOnAStreamOfAnotherDevice) {
  EXPECT_THAT(findings_of(R"(stream 1 dev=1
alloc A 256 dev=0
alloc B 256 dev=1
h2d A x 256 #a stream=1
d2d B A 256 stream=1
launch rw=B dev=1 stream=1)"),
              IsEmpty());
}

TEST(WrongCurrentDeviceSilent, MemoryThatAllDevicesReach) {
  EXPECT_THAT(findings_of(R"(alloc M 256 managed dev=1
alloc P 256 pinned
launch rw=M rw=P rw=unknown dev=0)"),
              IsEmpty());
}

TEST(WrongCurrentDeviceSilent, OnePastTheEndOfItsOwn) {
  EXPECT_THAT(findings_of(R"(alloc 0x7f0001000000 256 dev=0
alloc 0x7f0001000100 256 dev=1
launch r=0x7f0001000000 r=0x7f0001000100 dev=0)"),
              IsEmpty());
}

TEST(WrongCurrentDeviceSilent, EventsWereLost) {
  EXPECT_THAT(findings_of("dropped 3\nalloc A 256 dev=1\nlaunch r=A dev=0"), IsEmpty());
}

}  // namespace
}  // namespace xfer::test
