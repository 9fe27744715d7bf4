// The work of a kernel's thread, as the model of time counts it.

#include <gtest/gtest.h>

#include "unit/kernels/one_kernel.h"

namespace xfer::kernels {
namespace {

TEST(Cost, MemoryOfADeviceCounts) {
  const OneKernel kernel(R"(
  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a1];
  st.u32 [%a1], %r1;
  st.shared.u32 [room], %r1;
  atom.global.add.u32 %r1, [%a1], %r2;
  cp.async.ca.shared.global [room], [%a1], 8;
  cp.async.commit_group;
)");
  EXPECT_EQ(kernel.code->weight, 8u);
  EXPECT_EQ(kernel.code->bytes, 16u + 4 + 4 + 8);
}

TEST(Cost, LoopsCountEightTimes) {
  const OneKernel kernel(R"(
  mov.u32 %r1, 0;
outer:
  mov.u32 %r2, 0;
inner:
  ld.global.u32 %r3, [%a1];
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, 10;
  @%p1 bra inner;
  st.global.u16 [%a1], %r3;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 10;
  @%p1 bra outer;
)");
  EXPECT_EQ(kernel.code->weight, 3u + 8 * 5 + 64 * 4);
  EXPECT_EQ(kernel.code->bytes, 64u * 4 + 8 * 2);
}

}  // namespace
}  // namespace xfer::kernels
