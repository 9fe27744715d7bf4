// Which kernels count on the lanes of a warp going in step.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/kernels.h"

namespace xfer::kernels {
namespace {

bool counts(const std::string& body) {
  std::string why;
  const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 at) {
  .reg .pred %p<3>;
  .reg .b32 %r<5>;
  .reg .b64 %a<2>;
  .shared .align 16 .b8 room[64];
  ld.param.u64 %a1, [at];
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 16;
)" + body + "  ret;\n}\n";
  const std::unique_ptr<Program> program(load_program({text}, &why));
  const Code* const code = program->code("k", Extra::kNone, &why);
  EXPECT_NE(code, nullptr) << why;
  return code != nullptr && code->counts_on_lane_order;
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
