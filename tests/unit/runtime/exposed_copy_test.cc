#include <gmock/gmock.h>

#include "detect/busy_times.h"
#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> exposed_in(const std::string& trace) {
  std::vector<std::string> found;
  for (const std::string& finding : findings_of(trace))
    if (finding.find("exposed-copy") != std::string::npos) found.push_back(finding);
  return found;
}

/// Four steps: an upload of 100 us, a kernel of 300 us, and a wait for it. `work`: the kernel's
/// time on the device; `more`: what the step does besides.
std::string steps(const std::string& work = "time 2{i} 300000 until 1{i}+420000",
                  const std::string& more = "", const std::string& waits = "400000") {
  return "alloc A 1048576\nalloc B 1048576\nrepeat 4\n"
         "  h2d A x 1048576 ns=110000 #s{i} id=1{i}\n"
         "  launch r=A w=B id=2{i} ns=1000\n  sync device ns=" +
         waits +
         "\n"
         "  time 1{i} 100000 until 1{i}+105000\n  " +
         work + "\n  " + more + "\nend";
}

TEST(ExposedCopy, TheDeviceComputesOnEitherSide) {
  EXPECT_THAT(exposed_in(steps()),
              ElementsAre("4: exposed-copy look-alike idle-during-upload 3x 3145728 B"));
}
TEST(ExposedCopy, DownloadsTooIfTheHostGoesOnAtOnce) {
  EXPECT_THAT(exposed_in("alloc A 1048576\nrepeat 4\n  launch rw=A id=2{i} ns=1000\n"
                         "  d2h y A 1048576 ns=410000 #s{i} id=1{i}\n"
                         "  time 2{i} 290000 until 1{i}+300000\n"
                         "  time 1{i} 100000 until 1{i}+405000\nend\nlaunch rw=A id=30\n"
                         "time 30 290000 until 30+300000"),
              ElementsAre("4: exposed-copy look-alike idle-during-download 3x 3145728 B"));
}

TEST(ExposedCopySilent, AnotherStreamHidesIt) {
  EXPECT_THAT(exposed_in(steps("time 2{i} 300000 until 1{i}+420000",
                               "launch w=B id=4{i} stream=3\n  time 4{i} 90000 until 1{i}+104000")),
              IsEmpty());
}
TEST(ExposedCopySilent, TheDeviceWasIdleForLongBefore) {
  // The host needs 300 us more for the next batch.
  EXPECT_THAT(exposed_in(steps("time 2{i} 300000 until 1{i}+420000", "", "700000")), IsEmpty());
}
TEST(ExposedCopySilent, TheDeviceStaysIdleAfterIt) {
  EXPECT_THAT(exposed_in(steps("time 2{i} 100000 until 1{i}+420000")), IsEmpty());
}
TEST(ExposedCopySilent, ThereIsTooLittleWorkToHideIt) {
  EXPECT_THAT(exposed_in("alloc A 1048576\nalloc B 1048576\nrepeat 4\n"
                         "  h2d A x 1048576 ns=110000 #s{i} id=1{i}\n"
                         "  launch r=A w=B id=2{i} ns=1000\n  sync device ns=50000\n"
                         "  time 1{i} 100000 until 1{i}+105000\n"
                         "  time 2{i} 15000 until 1{i}+140000\nend"),
              IsEmpty());
}
TEST(ExposedCopy, WorkThatHidesAPartOfItCountsAsFar) {
  Engine engine;
  for (const Event& event : parse_trace("alloc A 1048576\nalloc B 1048576\nrepeat 4\n"
                                        "  h2d A x 1048576 ns=110000 #s{i} id=1{i}\n"
                                        "  launch r=A w=B id=2{i} ns=1000\n  sync device ns=50000\n"
                                        "  time 1{i} 100000 until 1{i}+105000\n"
                                        "  time 2{i} 30000 until 1{i}+140000\nend"))
    engine.add(event);
  const std::vector<EngineFinding> found = engine.finish();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rule, Rule::kExposedCopy);
  EXPECT_EQ(found[0].cost.saving_ns, 3u * 30'000);
}

/// Each step uploads three tensors at one line.
std::string rows(const std::string& bytes) {
  return "alloc A 4194304\nalloc B 1048576\nrepeat 4\n"
         "  h2d A x " +
         bytes + " ns=50000 #s{i} id=1{i} at=9\n  h2d A+1048576 y " + bytes +
         " ns=50000 #t{i} id=2{i} at=9\n  h2d A+2097152 z " + bytes +
         " ns=50000 #u{i} id=3{i} at=9\n  launch r=A w=B id=4{i} ns=1000\n"
         "  sync device ns=400000\n  time 1{i} 40000 until 1{i}+45000\n"
         "  time 2{i} 40000 until 2{i}+45000\n  time 3{i} 40000 until 3{i}+45000\n"
         "  time 4{i} 390000 until 4{i}+400000\nend";
}
TEST(ExposedCopy, CopiesThatFollowEachOtherAreOne) {
  EXPECT_THAT(exposed_in(rows("1048576")),
              ElementsAre("9: exposed-copy look-alike idle-during-upload 9x 9437184 B"));
}
TEST(ExposedCopySilent, SmallOnesThatFollowEachOther) {
  EXPECT_THAT(exposed_in(rows("4096")), IsEmpty());
}
TEST(ExposedCopySilent, TheUploadMayBeMadeOfADownload) {
  EXPECT_THAT(exposed_in(steps("time 2{i} 300000 until 1{i}+420000",
                               "d2h y B 1048576 #y{i} id=3{i} ns=10\n"
                               "  time 3{i} 5000 until 1{i}+430000")),
              IsEmpty());
}
TEST(ExposedCopySilent, ASmallDownloadMayDecide) {
  EXPECT_THAT(exposed_in("alloc A 4096\nrepeat 4\n  launch rw=A id=2{i} ns=1000\n"
                         "  d2h y A 4096 ns=410000 #s{i} id=1{i}\n"
                         "  time 2{i} 290000 until 1{i}+300000\n"
                         "  time 1{i} 100000 until 1{i}+405000\nend\nlaunch rw=A id=30\n"
                         "time 30 290000 until 30+300000"),
              IsEmpty());
}
TEST(ExposedCopySilent, ItIsSmallBesideTheStep) {
  EXPECT_THAT(exposed_in(steps("time 2{i} 30000000 until 1{i}+30120000", "", "30100000")),
              IsEmpty());
}
std::string pinned_steps(const std::string& stream) {
  return "alloc p 1048576 pinned\nalloc A 1048576\nalloc B 1048576\nstream 1\nstream 2\n"
         "repeat 4\n  h2d A p 1048576 async ns=5000 #s{i} id=1{i} stream=" +
         stream +
         "\n  launch r=A w=B id=2{i} ns=1000 stream=1\n  sync stream=1 ns=500000\n"
         "  time 1{i} 100000 until 1{i}+105000\n  time 2{i} 300000 until 1{i}+420000\nend";
}
TEST(ExposedCopy, PinnedMemoryOnTheKernelsStreamDoesNotOverlap) {
  EXPECT_THAT(exposed_in(pinned_steps("1")),
              ElementsAre("7: exposed-copy look-alike idle-during-upload 3x 3145728 B"));
}
TEST(ExposedCopySilent, ACopyStreamIsThereAlready) {
  EXPECT_THAT(exposed_in(pinned_steps("2")), IsEmpty());
}
TEST(ExposedCopySilent, TimesAreNotKnown) { EXPECT_THAT(exposed_in(steps("")), IsEmpty()); }

TEST(BusyTimes, SpansThatComeInAnyOrderAreOne) {
  BusyTimes busy;
  for (const Span span : {Span{50'000, 60'000}, Span{10'000, 20'000}, Span{19'000, 30'000},
                          Span{31'000, 40'000}, Span{32'000, 33'000}})
    busy.add(span);
  busy.settle();
  // The gap of 1 us between 30 and 31 is none.
  EXPECT_EQ(busy.within({0, 100'000}), 40'000u);
  EXPECT_EQ(busy.within({15'000, 55'000}), 30'000u);
  EXPECT_EQ(busy.within({40'000, 50'000}), 0u);
  EXPECT_EQ(busy.within({60'000, 20'000}), 0u);
  EXPECT_EQ(busy.last_end_before(10'000), 0u);
  EXPECT_EQ(busy.last_end_before(45'000), 40'000u);
  EXPECT_EQ(busy.next_begin_after(40'000), 50'000u);
  EXPECT_EQ(busy.next_begin_after(60'001), UINT64_MAX);
}

}  // namespace
}  // namespace xfer::test
