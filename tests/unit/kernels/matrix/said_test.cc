// Notes and refusals of the translation about instructions on matrices.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/kernels/matrix/kernel_text.h"
#include "unit/kernels/matrix/warp.h"

namespace xfer::kernels::testing {
namespace {

using ::testing::HasSubstr;

TEST(Matrices, SumsOfSmallFloatsMayDiffer) {
  const auto of = [](const std::string& instruction) {
    return approximate(
        kernel(1, ".reg .b32 %r<4>;\n.reg .f32 %f<4>;\n.reg .f64 %d<4>;\n", instruction + ";\n"));
  };
  EXPECT_EQ(of("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f0, %f1, %f2, %f3}, "
               "{%r0, %r1}, {%r2}, {%f0, %f1, %f2, %f3}"),
            std::vector<std::string>{"mma"});
  EXPECT_EQ(of("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r0, %r1}, {%r2}, {%r3}, "
               "{%r0, %r1}"),
            std::vector<std::string>{});
  EXPECT_EQ(of("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64.rn {%d0, %d1}, {%d2}, {%d3}, "
               "{%d0, %d1}"),
            std::vector<std::string>{});
}

TEST(Matrices, LanesGoInStep) {
  const auto why = [](const std::string& instruction) {
    return refusal_in_step(
        kernel(1, ".reg .b32 %r<4>;\n.reg .f64 %d<4>;\n",
               "mov.b32 %r0, 0;\nmov.b64 %d0, 0d0000000000000000;\n" + instruction + ";\n"));
  };
  for (const char* instruction :
       {"wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%d0}, [%p0]",
        "wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%p0], {%d0, %d0}",
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1, %d2}, {%d0}, {%d0}, {%d0, %d0}",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r0]",
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r0], {%r0}",
        "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0"})
    EXPECT_EQ(why(instruction), "") << instruction;
}

TEST(Matrices, WhatCannotBeRunIsRefused) {
  const auto why = [](const std::string& instruction) {
    return refusal(kernel(1, ".reg .b32 %r<8>;\n.reg .f32 %f<8>;\n", instruction + ";\n"));
  };
  const std::string fragments = " {%f0, %f1, %f2, %f3}, {%r0, %r1}, {%r2}, {%f0, %f1, %f2, %f3}";
  EXPECT_EQ(why("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32" + fragments), "");
  EXPECT_THAT(why("mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" + fragments + ", %r0, 0"),
              HasSubstr("cannot be run"));
  EXPECT_THAT(why("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3, %f4, %f5, "
                  "%f6, %f7}, {%r0, %r1}, {%r0, %r1}, {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}"),
              HasSubstr("cannot be run"));
  EXPECT_THAT(why("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + fragments),
              HasSubstr("registers"));
  EXPECT_THAT(why("mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.s32" + fragments),
              HasSubstr("mixes types"));
  EXPECT_THAT(why("wmma.mma.sync.aligned.row.col.m16n16k8.f64.tf32.tf32.f64 {%r0}, {%r0}, {%r0}, "
                  "{%r0}"),
              HasSubstr("mixes types"));
  EXPECT_THAT(why("wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {%r0}, [%p0]"),
              HasSubstr("cannot be run"));
  EXPECT_THAT(why("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [%r2]"),
              HasSubstr("cannot be run"));
}

}  // namespace
}  // namespace xfer::kernels::testing
