// Kernels that count on the lanes of a warp going in step.

#include <gtest/gtest.h>

#include <string>

#include "unit/kernels/one_kernel.h"

namespace xfer::kernels {
namespace {

bool counts(const std::string& body) {
  const OneKernel kernel("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 16;\n" + body);
  return kernel.code != nullptr && kernel.code->counts_on_lane_order;
}

TEST(LaneOrder, ALoadBehindAStore) {
  EXPECT_TRUE(counts("st.shared.u32 [room], %r1;\nld.shared.u32 %r2, [room+4];\n"));
  EXPECT_TRUE(
      counts("st.volatile.shared.u32 [room], %r1;\n"
             "ld.volatile.shared.u32 %r2, [room+4];\n"));
  EXPECT_TRUE(counts("atom.shared.add.u32 %r2, [room], %r1;\nld.shared.u32 %r2, [room];\n"));
}

TEST(LaneOrder, OnOneOfTheWaysThere) {
  // A barrier on the other way.
  EXPECT_TRUE(
      counts("st.shared.u32 [room], %r1;\n@%p1 bra L;\nbar.sync 0;\nL:\n"
             "ld.shared.u32 %r2, [room+4];\n"));
  // In the next turn of a loop.
  EXPECT_TRUE(
      counts("bar.sync 0;\nL:\nld.shared.u32 %r2, [room+4];\nst.shared.u32 [room], %r2;\n"
             "@%p1 bra L;\n"));
  EXPECT_TRUE(
      counts("st.shared.u32 [room], %r1;\n@%p1 bra L;\nbra M;\nL:\nret;\nM:\n"
             "ld.shared.u32 %r2, [room];\n"));
}

TEST(LaneOrder, VolatileInAnyMemory) {
  EXPECT_TRUE(
      counts("st.volatile.global.u32 [%a1], %r1;\n"
             "ld.volatile.global.u32 %r2, [%a1+64];\n"));
  EXPECT_TRUE(counts("st.volatile.u32 [%a1+4], %r1;\nld.volatile.u32 %r2, [%a1];\n"));
  // Its own element, what another register gives, and what is not said to change.
  EXPECT_FALSE(
      counts("st.volatile.global.u32 [%a1], %r1;\n"
             "ld.volatile.global.u32 %r2, [%a1];\n"));
  EXPECT_FALSE(
      counts("st.volatile.global.u32 [%a1], %r1;\n"
             "ld.volatile.global.u32 %r2, [%a0+64];\n"));
  EXPECT_FALSE(counts("st.global.u32 [%a1], %r1;\nld.global.u32 %r2, [%a1+64];\n"));
  EXPECT_FALSE(
      counts("st.volatile.global.u32 [%a1], %r1;\nbar.sync 0;\n"
             "ld.volatile.global.u32 %r2, [%a1+64];\n"));
}

TEST(LaneOrder, NotBehindAMeeting) {
  for (const char* meeting :
       {"bar.sync 0", "barrier.sync 1, 32", "bar.warp.sync -1",
        "shfl.sync.down.b32 %r3, %r1, 1, 31, -1", "vote.sync.any.pred %p2, %p1, -1"})
    EXPECT_FALSE(counts(std::string("st.shared.u32 [room], %r1;\n") + meeting +
                        ";\nld.shared.u32 %r2, [room+4];\n"))
        << meeting;
}

TEST(LaneOrder, NotWhereNoneIsBefore) {
  EXPECT_FALSE(counts("ld.shared.u32 %r2, [room];\nst.shared.u32 [room+4], %r2;\n"));
  EXPECT_FALSE(counts("st.global.u32 [%a1], %r1;\nld.shared.u32 %r2, [room];\n"));
  EXPECT_FALSE(counts("st.shared.u32 [room], %r1;\nld.global.u32 %r2, [%a1];\n"));
  // As reductions are written.
  EXPECT_FALSE(
      counts("st.shared.u32 [room], %r1;\nL:\nbar.sync 0;\nld.shared.u32 %r2, [room+4];\n"
             "st.shared.u32 [room], %r2;\n@%p1 bra L;\nbar.sync 0;\n"
             "ld.shared.u32 %r2, [room];\n"));
  EXPECT_FALSE(
      counts("@%p1 bra L;\nst.shared.u32 [room], %r1;\nret;\nL:\n"
             "ld.shared.u32 %r2, [room];\n"));
}

}  // namespace
}  // namespace xfer::kernels
