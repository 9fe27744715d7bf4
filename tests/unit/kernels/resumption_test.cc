// A warp that leaves in the middle of its code: its threads go on with what each lane knew.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/kernels.h"
#include "warp_run.h"

namespace xfer::kernels {
namespace {

std::unique_ptr<Program> load(const std::string& body) {
  std::string why;
  std::unique_ptr<Program> program(load_program({kernel_of(body)}, &why));
  EXPECT_NE(program, nullptr) << why;
  return program;
}

/// The same bits, wherever the warps leave.
void expect_same(const std::string& body, unsigned stops) {
  const auto program = load(body);
  std::string why;
  const Code* const code = program->code("run", Extra::kNone, &why);
  ASSERT_NE(code, nullptr) << why;
  for (const Size size : {Size{32}, Size{45}, Size{16, 4}, Size{8, 3, 2}, Size{5, 3, 2}}) {
    const RunWarp warp =
        program->warp_code("run", Extra::kNone, warp_shape({size.x, size.y, size.z}), &why);
    ASSERT_NE(warp, nullptr) << why;
    for (const std::uint32_t n : {0U, 70U, 500U}) {
      const auto expected = Run(size, n).by_threads(*code);
      for (unsigned stop = 0; stop <= stops; ++stop)
        EXPECT_EQ(Run(size, n).by_warps(warp, stop), expected)
            << size.x << "x" << size.y << "x" << size.z << ", n = " << n << ", stop " << stop;
    }
  }
}

/// Looks at a place in `in` until it has done so as often as the register says, for `name`.
std::string look(const std::string& name, const std::string& times) {
  return "mov.u32 %r20, 0;\n" + name + ":\nld.volatile.global.u32 %r21, [%d9];\n" +
         "add.u32 %r20, %r20, 1;\nadd.u32 %r22, %r22, %r20;\nsetp.ne.u32 %p5, %r21, 0;\n" +
         "setp.lt.and.u32 %p5, %r20, " + times + ", %p5;\n@%p5 bra " + name + ";\n";
}

const std::string kPlace =
    "sub.s64 %d9, %in, 4;\nmov.u32 %r19, %ntid.x;\nmad.lo.s32 %r18, %y, %r19, %x;\n"
    "mov.u32 %r17, %tid.z;\nmov.u32 %r16, %ntid.y;\nmul.lo.u32 %r16, %r16, %r19;\n"
    "mad.lo.u32 %r18, %r17, %r16, %r18;\nmov.u32 %r22, 0;\n";
const std::string kStore =
    "mul.wide.u32 %d8, %r18, 16;\nsub.s64 %d7, %out, 2048;\nadd.s64 %d7, %d7, %d8;\n";

TEST(Resumption, ValuesOfEachTypeLiveOn) {
  expect_same(kPlace +
                  "cvt.rn.f32.u32 %f0, %r18;\nmul.f32 %f0, %f0, 0f3F99999A;\n"
                  "cvt.u16.u32 %h0, %r18;\nmul.lo.u16 %h0, %h0, 77;\n"
                  "mul.wide.u32 %d0, %r18, 1000003;\nmul.lo.u64 %d0, %d0, %d0;\n"
                  "rem.u32 %r0, %r18, 3;\nsetp.eq.u32 %p1, %r0, 1;\n"
                  "add.s64 %d1, %d9, -128;\ncvt.u64.u32 %d2, %x;\nadd.s64 %d1, %d1, %d2;\n"
                  "mad.lo.u32 %r1, %r18, 9, %n;\n" +
                  look("first", "%r1") + "bar.sync 0;\n" + look("second", "100") +
                  "ld.global.u8 %r2, [%d1];\nselp.u32 %r3, %r2, %r22, %p1;\n"
                  "mov.b32 %r4, %f0;\nxor.b32 %r3, %r3, %r4;\ncvt.u32.u16 %r5, %h0;\n"
                  "add.u32 %r3, %r3, %r5;\nadd.u32 %r3, %r3, %r20;\n" +
                  kStore + "st.global.u64 [%d7], %d0;\nst.global.u32 [%d7+8], %r3;\n",
              14);
}

// Lanes are in loops, behind them, and at the end.
TEST(Resumption, LanesAreApart) {
  expect_same(kPlace +
                  "setp.gt.u32 %p0, %r18, 40;\n@%p0 bra end;\nmov.u32 %r6, 0;\n"
                  "rem.u32 %r7, %r18, 4;\nouter:\nmad.lo.u32 %r1, %r18, %r6, %n;\n"
                  "setp.eq.u32 %p1, %r6, %r7;\n@%p1 bra odd;\n" +
                  look("one", "%r1") + "bra both;\nodd:\nadd.u32 %r22, %r22, 7;\n" +
                  look("other", "90") +
                  "both:\nbar.sync 0;\nadd.u32 %r6, %r6, 1;\nsetp.gt.u32 %p2, %r6, %r7;\n"
                  "@%p2 bra behind;\nsetp.lt.u32 %p3, %r6, 3;\n@%p3 bra outer;\nbehind:\n" +
                  kStore + "st.global.u32 [%d7], %r22;\nst.global.u32 [%d7+4], %r6;\n",
              30);
}

/// Threads of the kernel may wait for each other in its loop.
bool waits(const std::string& loop) {
  const auto program = load("sub.s64 %d0, %in, 64;\nmov.u32 %r0, 0;\nmov.u32 %r1, 0;\nagain:\n" +
                            loop + "@%p0 bra again;\n");
  std::string why;
  const Code* const code = program->code("run", Extra::kNone, &why);
  EXPECT_NE(code, nullptr) << why;
  return code != nullptr && code->waits;
}

TEST(Waiting, LoopsThatLookAtOthersWait) {
  EXPECT_TRUE(waits("ld.volatile.global.u32 %r2, [%d0];\nsetp.eq.u32 %p0, %r2, 0;\n"));
  EXPECT_TRUE(waits("ld.acquire.gpu.global.u32 %r2, [%d0];\nsetp.ne.u32 %p0, %r2, %n;\n"));
  EXPECT_TRUE(waits("atom.global.cas.b32 %r2, [%d0], 0, 1;\nsetp.ne.u32 %p0, %r2, 0;\n"));
  EXPECT_TRUE(waits("atom.global.cas.b32 %r2, [%d0], %n, 1;\nsetp.ne.u32 %p0, %r2, %n;\n"));
  EXPECT_TRUE(waits("atom.global.exch.b32 %r2, [%d0], 1;\nsetp.ne.u32 %p0, %r2, 0;\n"));
  EXPECT_TRUE(waits("atom.global.add.u32 %r2, [%d0], 0;\nsetp.lt.u32 %p0, %r2, %n;\n"));
  EXPECT_TRUE(waits("nanosleep.u32 20;\nld.global.u32 %r2, [%d0];\nsetp.eq.u32 %p0, %r2, 0;\n"));
  // A semaphore.
  EXPECT_TRUE(
      waits("atom.global.add.u32 %r2, [%d0], -1;\nsetp.lt.s32 %p0, %r2, 1;\n"
            "@!%p0 bra end;\natom.global.add.u32 %r3, [%d0], 1;\n"));
}

TEST(Waiting, LoopsThatGetOnByThemselvesDoNot) {
  // Tries again with what it found there.
  EXPECT_FALSE(
      waits("mov.u32 %r3, %r1;\nadd.u32 %r4, %r3, 5;\n"
            "atom.global.cas.b32 %r1, [%d0], %r3, %r4;\nsetp.ne.u32 %p0, %r1, %r3;\n"));
  // Takes the next of what there is to do.
  EXPECT_FALSE(waits("atom.global.add.u32 %r2, [%d0], 1;\nsetp.lt.u32 %p0, %r2, %n;\n"));
  EXPECT_FALSE(
      waits("ld.global.u32 %r2, [%d0];\nadd.u32 %r0, %r0, %r2;\n"
            "setp.lt.u32 %p0, %r0, %n;\n"));
}

}  // namespace
}  // namespace xfer::kernels
