#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> slow_in(const std::string& trace) {
  std::vector<std::string> found;
  for (const std::string& finding : findings_of(trace))
    if (finding.find("slow-copy") != std::string::npos) found.push_back(finding);
  return found;
}

std::vector<EngineFinding> all_of(const std::string& trace) {
  Engine engine;
  for (const Event& event : parse_trace(trace)) engine.add(event);
  std::vector<EngineFinding> findings = engine.finish();
  std::erase_if(findings, [](const EngineFinding& one) { return one.rule != Rule::kSlowCopy; });
  return findings;
}

/// A copy of 4 MiB at 20 GB/s, and four copies at a line of their own.
std::string run(const std::string& slow, const std::string& time,
                const std::string& fast = "time 9 200000 until 9+210000") {
  return "alloc A 8388608\nalloc B 8388608\nalloc p 8388608 pinned\nh2d A p 4194304 #f id=9 "
         "ns=220000\n" +
         fast + "\nlaunch rw=A\nrepeat 4\n  " + slow + " #s{i} id=1{i}\n  time 1{i} " + time +
         "\n  launch r=B w=A\nend";
}

TEST(SlowCopy, FromPageableMemory) {
  EXPECT_THAT(slow_in(run("h2d B y 4194304 ns=1000000", "900000 until 1{i}+950000")),
              ElementsAre("8: slow-copy look-alike slow-pageable 4x 16777216 B"));
}
TEST(SlowCopy, InSmallPieces) {
  EXPECT_THAT(slow_in(run("h2d B y 4096 ns=20000", "8000 until 1{i}+9000")),
              ElementsAre("8: slow-copy look-alike slow-pieces 4x 16384 B"));
}
TEST(SlowCopy, FromPinnedMemory) {
  EXPECT_THAT(slow_in(run("h2d B p 4194304 ns=1000000", "900000 until 1{i}+950000")),
              ElementsAre("8: slow-copy look-alike slow-link 4x 16777216 B"));
}
TEST(SlowCopy, HasItsShareOfTheStep) {
  // 690 us and more of each 1 ms are lost: the rate of line 4 takes 210 us for them.
  const std::vector<EngineFinding> found = all_of(
      "alloc A 8388608\nalloc B 8388608\nalloc p 8388608 pinned\nh2d A p 4194304 #f id=9 "
      "ns=220000\ntime 9 200000 until 9+210000\nrepeat 4\nenter 7 ns=0\n"
      "h2d B y 4194304 #s{i} id=1{i} ns=1000000\nlaunch r=B w=A ns=200000\nleave 7 ns=0\n"
      "time 1{i} 900000 until 1{i}+950000\nend");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].step.name, "7");
  EXPECT_EQ(found[0].step.count, 4u);
  EXPECT_EQ(found[0].step.ns, 4u * 1'200'000);
  EXPECT_EQ(found[0].step.saving_ns, 4u * (900'000 - 200'000));
}
TEST(SlowCopySilent, NoCopyIsFaster) {
  EXPECT_THAT(slow_in(run("h2d B y 4194304 ns=1000000", "900000 until 1{i}+950000",
                          "time 9 800000 until 9+810000")),
              IsEmpty());
}
TEST(SlowCopySilent, OnlySmallCopiesAreFaster) {
  EXPECT_THAT(slow_in("alloc A 8388608\nh2d A x 65536 #f id=9\ntime 9 3000 until 9+4000\n"
                      "repeat 4\n  h2d A y 4194304 ns=1000000 #s{i} id=1{i}\n"
                      "  time 1{i} 900000 until 1{i}+950000\n  launch rw=A\nend"),
              IsEmpty());
}
TEST(SlowCopySilent, TheOtherDirectionIsFaster) {
  EXPECT_THAT(slow_in("alloc A 8388608\nlaunch w=A\nd2h x A 4194304 #f id=9 ns=220000\n"
                      "time 9 200000 until 9+210000\nrepeat 4\n"
                      "  h2d A y 4194304 ns=1000000 #s{i} id=1{i}\n"
                      "  time 1{i} 900000 until 1{i}+950000\n  launch rw=A\nend"),
              IsEmpty());
}
TEST(SlowCopySilent, TwoShareTheLink) {
  EXPECT_THAT(slow_in("alloc A 8388608\nalloc B 8388608\nh2d A x 4194304 #f id=9 ns=220000\n"
                      "time 9 200000 until 9+210000\nlaunch rw=A\nrepeat 4\n"
                      "  h2d B y 4194304 async stream=1 ns=1000 #s{i} id=1{i}\n"
                      "  h2d A z 4194304 async stream=2 ns=950000 #t{i} id=2{i}\n"
                      "  time 1{i} 800000 until 1{i}+810000\n"
                      "  time 2{i} 800000 until 1{i}+820000\n  launch rw=A rw=B\nend"),
              IsEmpty());
}
TEST(SlowCopySilent, ItHappensOnce) {
  EXPECT_THAT(slow_in("alloc A 8388608\nh2d A x 4194304 #f id=9 ns=220000\n"
                      "time 9 200000 until 9+210000\nlaunch rw=A\n"
                      "h2d A y 4194304 ns=1000000 #s id=1\ntime 1 900000 until 1+950000\n"
                      "launch rw=A"),
              IsEmpty());
}
TEST(SlowCopySilent, TheLossIsSmallBesideTheRun) {
  EXPECT_THAT(
      slow_in(run("h2d B y 4096 ns=20000", "8000 until 1{i}+9000") + "\nlaunch rw=A ns=50000000"),
      IsEmpty());
}

}  // namespace
}  // namespace xfer::test
