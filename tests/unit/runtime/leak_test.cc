#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A program that does `each` (lines 3 on) and then some work eight times; `at_end` follows.
std::string eight_times(const std::string& each, const std::string& at_end = "free A") {
  return "alloc A 256\nrepeat 8\n" + each + "\nlaunch rw=A\nend\n" + at_end;
}
constexpr const char* kOneMore = "alloc T{i} {i}00256";  // of another size each time

TEST(Leak, ALineAllocatesAtEveryStep) {
  EXPECT_THAT(findings_of(eight_times(kOneMore)),
              ElementsAre("3: leak proven never-freed 8x 2802048 B"));
}

TEST(Leak, PinnedMemoryToo) {
  EXPECT_THAT(findings_of(eight_times("alloc P{i} 4096 pinned")),
              ElementsAre("3: leak proven never-freed 8x 32768 B"));
}

TEST(Leak, SomeOfThemAreFreed) {
  EXPECT_THAT(findings_of(eight_times("alloc S{i} 256\nalloc T{i} 512\nlaunch w=S{i} w=T{i}\n"
                                      "free S{i}")),
              ElementsAre("3: alloc-in-loop proven same-size-again 7x 1792 B (6)",
                          "4: leak proven never-freed 8x 4096 B"));
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

TEST(LeakSilent, APoolOfPinnedMemory) {
  EXPECT_THAT(findings_of(eight_times("alloc P{i} 4096 pinned\nalloc P{i}+0 256 block")),
              IsEmpty());
}

// A pool makes a block when all are taken, which may happen at any time; and uses them all again.
TEST(LeakSilent, APoolThatGrowsNowAndThen) {
  EXPECT_THAT(findings_of("alloc D 256\n"
                          "repeat 8\n  alloc P{i} 256 pinned\n  h2d D P{i} 256 #a{i}\n"
                          "  launch rw=D\nend\n"
                          "repeat 8\n  h2d D P{i} 256 #b{i}\n  launch rw=D\nend\n"
                          "free D"),
              IsEmpty());
}

TEST(Leak, UsedUntilTheNextButOneIsMade) {
  EXPECT_THAT(findings_of("alloc D 256\nrepeat 8\n  alloc T{i} {i}00256\n  launch w=T{i}\nend\n"
                          "launch r=T7\nfree D"),
              ElementsAre("3: leak proven never-freed 8x 2802048 B"));
}

TEST(LeakSilent, TheDeviceIsReset) {
  EXPECT_THAT(findings_of(eight_times("alloc P{i} 4096 pinned", "reset")), IsEmpty());
}

TEST(LeakSilent, APool) {
  EXPECT_THAT(findings_of(eight_times("alloc POOL{i} 65536\nalloc POOL{i}+512 256 block\n"
                                      "launch w=POOL{i}+512")),
              IsEmpty());
}

TEST(LeakSilent, TheProgramWasKilled) {
  EXPECT_THAT(findings_of(eight_times(kOneMore), Ending::kBrokenOff), IsEmpty());
}

TEST(LeakSilent, EventsWereLost) {
  EXPECT_THAT(findings_of(eight_times(kOneMore, "free A\ndropped 1")), IsEmpty());
}

TEST(LeakSilent, HostMemoryThatIsRegistered) {
  EXPECT_THAT(findings_of(eight_times("alloc P{i} 4096 pinned registered")), IsEmpty());
}

TEST(LeakSilent, Graphs) {
  EXPECT_THAT(findings_of(eight_times("alloc T{i} 256 async captured")), IsEmpty());
}

}  // namespace
}  // namespace xfer::test
