#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// cumf_als, cuIBM: temporaries that are freed while kernels run.
TEST(HiddenSync, FreeingInALoopWaitsForTheKernels) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
  alloc T{i} {i}00256
  launch rw=A w=T{i}
  free T{i} ns=50000
end)"),
              ElementsAre("5: hidden-sync proven free-waits 3x 0 B"));
}

// A step's input waits for the step before, and only then does the host prepare the next input.
std::string steps(const std::string& upload, const std::string& kernel = "90000 until 1{i}+80000",
                  const std::string& before = "") {
  return "alloc A 256\nalloc B 256\nrepeat 4\n  launch r=A w=B ns=50000 at=1 id=2{i}\n  " + before +
         upload + " #step{i} id=1{i}\n  time 1{i} 20000\n  time 2{i} " + kernel +
         "\nend\nlaunch r=A w=B\nd2h y B 256";
}
TEST(HiddenSync, ASynchronousUploadWaitsForTheKernelBefore) {
  EXPECT_THAT(findings_of(steps("h2d A x 256 ns=100000")),
              ElementsAre("5: hidden-sync look-alike upload-waits 4x 1024 B"));
  Engine engine;
  for (const Event& event : parse_trace(steps("h2d A x 256 ns=100000"))) engine.add(event);
  const auto findings = engine.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cost.host_ns, 4u * 80000u);  // without the copy itself
  // Of each wait the host's work until the next one; the last is followed by a short launch.
  EXPECT_EQ(findings[0].cost.saving_ns, 3u * 52000u + 3000u);
}
TEST(HiddenSync, TheDevicesTimesComeLate) {
  EXPECT_THAT(findings_of("alloc A 256\nalloc B 256\nrepeat 4\n  launch r=A w=B ns=50000 id=2{i}\n"
                          "  h2d A x 256 ns=100000 #step{i} id=1{i}\nend\nlaunch r=A w=B\n"
                          "d2h y B 256\nfree A\nrepeat 4\n  time 1{i} 20000\n"
                          "  time 2{i} 90000 until 1{i}+80000\nend"),
              ElementsAre("5: hidden-sync look-alike upload-waits 4x 1024 B"));
}
TEST(HiddenSyncSilent, UploadsThatDoNotWaitForLong) {
  // Asynchronous; as long as the device works on it; too short; with nothing before it.
  for (const char* upload : {"h2d A x 256 async ns=100000", "h2d A x 256 ns=30000"})
    EXPECT_THAT(findings_of(steps(upload)), Not(Contains(HasSubstr("hidden-sync")))) << upload;
  EXPECT_THAT(
      findings_of(steps("h2d A x 256 ns=100000", "90000 until 1{i}+80000", "sync device\n  ")),
      Not(Contains(HasSubstr("hidden-sync"))));
}
// An H200: 64 KiB of pageable memory take 25 us of the host and 6 us of the device, whether a
// kernel of 1 us is before them or not.
TEST(HiddenSyncSilent, ItIsTheCopyThatTakesLong) {
  for (const char* kernel : {"1000 until 1{i}+3000", "1000 until 1{i}+0"})
    EXPECT_THAT(findings_of(steps("h2d A x 256 ns=100000", kernel)),
                Not(Contains(HasSubstr("hidden-sync"))))
        << kernel;
}
TEST(HiddenSyncSilent, ItIsNotKnownHowLongTheKernelTook) {
  EXPECT_THAT(findings_of("alloc A 256\nalloc B 256\nrepeat 4\n  launch r=A w=B ns=50000\n"
                          "  h2d A x 256 ns=100000 #step{i} id=1{i}\n  time 1{i} 20000\nend\n"
                          "launch r=A w=B\nd2h y B 256"),
              IsEmpty());
}
TEST(HiddenSyncSilent, TheHostWaitsAgainAtOnce) {
  EXPECT_THAT(findings_of("alloc A 256\nalloc B 256\nrepeat 4\n  launch r=A w=B id=2{i}\n"
                          "  h2d A x 256 ns=100000 #step{i} id=1{i}\n  time 1{i} 20000\n"
                          "  time 2{i} 90000 until 1{i}+80000\n"
                          "  d2h y B 256 #y{i} ns=50000\nend"),
              IsEmpty());
}
TEST(HiddenSyncSilent, ItIsNotKnownHowLongTheUploadItselfTook) {
  EXPECT_THAT(findings_of("alloc A 256\nalloc B 256\nrepeat 4\n  launch r=A w=B ns=50000 id=2{i}\n"
                          "  h2d A x 256 ns=100000 #step{i} id=1{i}\n"
                          "  time 2{i} 90000 until 1{i}+80000\nend\nlaunch r=A w=B\nd2h y B 256"),
              IsEmpty());
}

TEST(HiddenSyncSilent, NothingIsUnderWay) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
  alloc T{i} {i}00256
  launch rw=A w=T{i}
  sync device
  free T{i} ns=50000
end)"),
              IsEmpty());
}

TEST(HiddenSyncSilent, OnceAtTheEnd) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch rw=A
free A ns=50000)"),
              IsEmpty());
}

TEST(HiddenSyncSilent, FreedInStreamOrder) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
  alloc T{i} {i}00256 async
  launch rw=A w=T{i}
  free T{i} async ns=50000
end)"),
              IsEmpty());
}

TEST(HiddenSyncSilent, TooShortToHaveWaited) {
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 3
  alloc T{i} {i}00256
  launch rw=A w=T{i}
  free T{i} ns=2000
end)"),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
