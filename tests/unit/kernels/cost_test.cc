// What a thread of a kernel does, as the model of time counts it.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/kernels.h"

namespace xfer::kernels {
namespace {

std::unique_ptr<Program> program;

const Code* code_of(const std::string& body) {
  std::string why;
  const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 at) {
  .reg .pred %p<2>;
  .reg .b32 %r<5>;
  .reg .b64 %a<2>;
  .shared .align 16 .b8 room[64];
  ld.param.u64 %a1, [at];
)" + body + "  ret;\n}\n";
  program.reset(load_program({text}, &why));
  const Code* const code = program->code("k", Extra::kNone, &why);
  EXPECT_NE(code, nullptr) << why;
  return code;
}

TEST(Cost, MemoryOfADeviceCounts) {
  const Code* const code = code_of(R"(
  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a1];
  st.u32 [%a1], %r1;
  st.shared.u32 [room], %r1;
  atom.global.add.u32 %r1, [%a1], %r2;
  cp.async.ca.shared.global [room], [%a1], 8;
  cp.async.commit_group;
)");
  EXPECT_EQ(code->weight, 8u);
  EXPECT_EQ(code->bytes, 16u + 4 + 4 + 8);
}

TEST(Cost, LoopsCountEightTimes) {
  const Code* const code = code_of(R"(
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
  EXPECT_EQ(code->weight, 3u + 8 * 5 + 64 * 4);
  EXPECT_EQ(code->bytes, 64u * 4 + 8 * 2);
}

}  // namespace
}  // namespace xfer::kernels
