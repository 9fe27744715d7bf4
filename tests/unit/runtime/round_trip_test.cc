#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RoundTrip, SentAndReturnedAlthoughAKernelReadsIt) {
  // Rodinia's backprop, :118 and :180.
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
h2d A x 256 #x
launch r=A w=B
d2h x A 256 #x
d2h y B 256 #y)"),
              ElementsAre("5: round-trip proven sent-and-returned 1x 256 B (3)"));
}

TEST(RoundTrip, NothingButTheWayBackUsedIt) {
  EXPECT_THAT(findings_of(R"(repeat 3
  alloc A 256
  h2d A x 256 #x{i}
  d2h y A 256 #x{i}
  free A
  launch
end)"),
              ElementsAre("4: round-trip proven sent-and-returned 3x 1536 B (3)"));
}

TEST(RoundTrip, AsynchronousWayBack) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
launch r=A
d2h y A 256 async id=1
sync device
content 1 #x)"),
              ElementsAre("4: round-trip proven sent-and-returned 1x 256 B (2)"));
}

TEST(RoundTrip, WithoutHashesItIsAdvice) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256
launch r=A
d2h x A 256)"),
              ElementsAre("4: round-trip look-alike sent-and-returned 1x 256 B (2)"));
}

TEST(RoundTrip, BackToTheSamePlaceOnTheDevice) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch w=A
d2h x A 256 #r
h2d A x 256 #r
launch r=A)"),
              ElementsAre("4: round-trip proven returned-in-place 1x 256 B (3)"));
}

TEST(RoundTrip, BackToAnotherBufferWhileTheFirstIsThere) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
launch w=A
d2h x A 256 #r
h2d B x 256 #r
launch rw=B r=A)"),
              ElementsAre("5: round-trip content-duplicate returned-elsewhere 1x 256 B (4)"));
}

TEST(RoundTrip, FreedAndSentBackAtOnce) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
launch w=A
d2h x A 256 #r
free A
h2d B x 256 #r
launch rw=B)"),
              ElementsAre("6: round-trip content-duplicate returned-elsewhere 1x 256 B (4)"));
}

TEST(RoundTripSilent, AKernelMayHaveChangedIt) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
launch rw=A
d2h x A 256 #y)"),
              IsEmpty());
  // Even if it happens to hold the same.
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
launch rw=A skipped
d2h x A 256 #x)"),
              IsEmpty());
}

TEST(RoundTripSilent, TheHostChangedIt) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
  launch rw=A
  d2h x A 256 #before{i}
  h2d A x 256 #after{i}
end
launch r=A)"),
              IsEmpty());
}

TEST(RoundTripSilent, ParkedOnTheHostWhileKernelsRun) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch w=A
d2h x A 256 #r
free A
alloc B 256
launch rw=B
free B
alloc A 256
h2d A x 256 #r
launch r=A)"),
              IsEmpty());
}

TEST(RoundTripSilent, AnArrayOfZerosIsNotAnother) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
launch w=A
d2h x A 256 #zero
h2d B y 256 #zero
launch rw=B r=A)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256
h2d A x 256 #zero
launch rw=A w=B
d2h y B 256 #zero)"),
              IsEmpty());
}

TEST(RoundTripSilent, AnotherRange) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
launch r=A
d2h y A 128 #y
d2h z A+128 128 #z)"),
              IsEmpty());
}

TEST(RoundTripSilent, ThroughAnotherDevice) {
  // The host is how data gets from one device to another where there is no peer access.
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc B 256 dev=1
launch w=A
d2h x A 256 #r
h2d B x 256 #r
launch r=B dev=1)"),
              IsEmpty());
}

TEST(RoundTripSilent, AFlagThatTheHostResets) {
  // The counter is zero now and then when it comes back; it is reset each time.
  EXPECT_THAT(findings_of(R"(alloc F 4
repeat 2
  launch rw=F
  d2h f F 4 #one
  h2d F f 4 #zero
end
launch rw=F
d2h f F 4 #zero at=4
h2d F f 4 #zero at=5
launch r=F)"),
              IsEmpty());
}

TEST(RoundTripSilent, BfsFlagPerLevel) {
  EXPECT_THAT(findings_of(R"(alloc F 1
repeat 4
  h2d F f 1 #0
  launch rw=F
  d2h f F 1 #1
end
h2d F f 1 #0 at=3
launch rw=F
d2h f F 1 #0 at=5)"),
              IsEmpty());
}

TEST(RoundTripSilent, ContentThatChangedShowsThatSomethingUnseenWrites) {
  EXPECT_THAT(findings_of(R"(alloc A 256
h2d A x 256 #x
launch
d2h y A 256 #changed
h2d A x 256 #x
launch
h2d A x 256 #x
launch)"),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
