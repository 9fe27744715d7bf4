// needless-sync, by each copy from pinned memory.

#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t kLoader = 50;

// A copy at line 7, and the wait for it in the same call of a library (8).
std::vector<std::string> found(int steps, const std::string& copy_and_wait,
                               std::uint32_t pinned_at) {
  EngineOptions options;
  options.pins_anew = [](std::uint32_t site) { return site == kLoader; };
  const std::string at = " at=" + std::to_string(pinned_at);
  return findings_of("alloc A 100000\nstream 1\nalloc P 100000 pinned" + at +
                         "\nalloc Q 100000 pinned" + at + "\nrepeat " + std::to_string(steps) +
                         '\n' + copy_and_wait + "\nend\nlaunch r=A",
                     Ending::kSucceeded, options);
}

std::string step(const std::string& from, const std::string& between = "",
                 const std::string& wait = "sync stream=1 at=8 ns=20000") {
  return "h2d A " + from + " 65536 #c" + from + "{i} async stream=1 at=7\n" + between + wait +
         "\nlaunch r=A stream=1 at=9\n";
}

TEST(PinnedWait, BatchesThatALoaderPinsInTheSameMemory) {
  EXPECT_THAT(found(9, step("P"), kLoader),
              ElementsAre("7: needless-sync look-alike waited-for-pinned 9x 589824 B (8)"));
}

TEST(PinnedWait, BuffersInTurn) {
  EXPECT_THAT(found(5, step("P") + step("Q"), 51),
              ElementsAre("7: needless-sync look-alike waited-for-pinned 10x 655360 B (8)"));
  EXPECT_THAT(found(5, step("P", "", "sync device at=8") + step("Q", "", "sync device at=8"), 51),
              ElementsAre("7: needless-sync look-alike waited-for-pinned 10x 655360 B (8)"));
}

TEST(PinnedWaitSilent, TheProgramFillsItsOneBufferAgain) {
  EXPECT_THAT(found(20, step("P"), 51), IsEmpty());
}

TEST(PinnedWaitSilent, NowAndThen) { EXPECT_THAT(found(7, step("P"), kLoader), IsEmpty()); }

TEST(PinnedWaitSilent, TheWaitComesLater) {
  EXPECT_THAT(found(20, step("P", "launch r=A stream=1 at=9\n"), kLoader), IsEmpty());
  EXPECT_THAT(found(20, step("P", "record 5 stream=1 at=9\n"), kLoader), IsEmpty());
}

TEST(PinnedWaitSilent, AnotherStreamIsWaitedFor) {
  EXPECT_THAT(found(20, step("P", "", "sync stream=2 at=8"), kLoader),
              ElementsAre("8: needless-sync proven nothing-under-way 20x 0 B"));
}

TEST(PinnedWaitSilent, FewBytesOrPageableMemory) {
  EXPECT_THAT(found(20,
                    "h2d A P 4096 #c{i} async stream=1 at=7\nsync stream=1 at=8\n"
                    "launch r=A stream=1 at=9",
                    kLoader),
              IsEmpty());
  EXPECT_THAT(found(20, step("x"), kLoader), IsEmpty());
}

}  // namespace
}  // namespace xfer::test
