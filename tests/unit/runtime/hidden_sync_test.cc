#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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
