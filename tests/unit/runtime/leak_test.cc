#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kPilesUp = R"(alloc A 256
repeat 8
  alloc T{i} {i}00256
  launch rw=A w=T{i}
end
free A)";

TEST(Leak, ALineAllocatesAtEveryStep) {
  EXPECT_THAT(findings_of(kPilesUp), ElementsAre("3: leak proven never-freed 8x 2802048 B"));
}

TEST(Leak, PinnedMemoryToo) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 8
  alloc P{i} 4096 pinned
  launch rw=A
end
free A)"),
              ElementsAre("3: leak proven never-freed 8x 32768 B"));
}

TEST(Leak, SomeOfThemAreFreed) {
  EXPECT_THAT(findings_of(R"(repeat 8
  alloc S{i} 256
  alloc T{i} 512
  launch w=S{i} w=T{i}
  free S{i}
end)"),
              ElementsAre("2: alloc-in-loop proven same-size-again 7x 1792 B (5)",
                          "3: leak proven never-freed 8x 4096 B"));
}

TEST(LeakSilent, BuffersThatLiveAsLongAsTheProgram) {
  EXPECT_THAT(findings_of(R"(repeat 8
  alloc W{i} 256
  launch w=W{i}
end
repeat 40
  launch rw=W0
end)"),
              IsEmpty());
}

TEST(LeakSilent, MadeAtTheEndToTakeAwayTheResults) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 40
  launch rw=A
end
repeat 8
  alloc R{i} 256
  launch r=A w=R{i}
end
free A)"),
              IsEmpty());
}

TEST(LeakSilent, TheDeviceIsReset) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 8
  alloc P{i} 4096 pinned
  launch rw=A
end
reset)"),
              IsEmpty());
}

TEST(LeakSilent, APool) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 8
  alloc POOL{i} 65536
  alloc POOL{i}+512 256 block
  launch rw=A w=POOL{i}+512
end
free A)"),
              IsEmpty());
}

TEST(LeakSilent, TheProgramWasKilled) {
  EXPECT_THAT(findings_of(kPilesUp, /*complete=*/false), IsEmpty());
}

TEST(LeakSilent, EventsWereLost) {
  EXPECT_THAT(findings_of(std::string(kPilesUp) + "\ndropped 1"), IsEmpty());
}

TEST(LeakSilent, HostMemoryThatIsRegistered) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 8
  alloc P{i} 4096 pinned registered
  launch rw=A
end
free A)"),
              IsEmpty());
}

TEST(LeakSilent, Graphs) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 8
  alloc T{i} 256 async captured
  launch rw=A
end
free A)"),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
