// The code of a warp does what the code of a thread does 32 times, bit for bit, and touches nothing
// else.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/kernels.h"
#include "warp_run.h"

namespace xfer::kernels {
namespace {

/// The same bits, whatever n is and however the block lies.
void expect_same(const std::string& body) {
  std::string why;
  const std::unique_ptr<Program> program(load_program({kernel_of(body)}, &why));
  ASSERT_NE(program, nullptr) << why;
  const Code* const code = program->code("run", Extra::kNone, &why);
  ASSERT_NE(code, nullptr) << why;
  for (const Size size : {Size{32}, Size{64}, Size{45}, Size{16, 4}, Size{48, 2}, Size{8, 8},
                          Size{24, 2}, Size{4, 8}, Size{32, 2, 2}}) {
    const RunWarp warp =
        program->warp_code("run", Extra::kNone, warp_shape({size.x, size.y, size.z}), &why);
    ASSERT_NE(warp, nullptr) << why;
    for (const std::uint32_t n : {0U, 1U, 7U, 16U, 31U, 32U, 40U, 1000U})
      EXPECT_EQ(Run(size, n).by_threads(*code), Run(size, n).by_warps(warp))
          << size.x << "x" << size.y << "x" << size.z << ", n = " << n;
  }
}

// Lanes below n copy element x + y * ntid.x of what ends at the end of memory: n are there.
std::string copy_up_to_n(const std::string& type, unsigned bytes, const std::string& reg) {
  const std::string size = std::to_string(bytes);
  return "mov.u32 %r0, %ntid.x;\nmad.lo.s32 %r1, %y, %r0, %x;\nmov.u32 %r4, %ntid.y;\n"
         "mul.lo.u32 %r5, %r0, %r4;\nmin.u32 %r5, %r5, %n;\n"
         "setp.ge.u32 %p0, %r1, %r5;\n@%p0 bra end;\nsub.s32 %r2, %r1, %r5;\n"
         "mul.wide.s32 %d0, %r2, " +
         size +
         ";\nadd.s64 %d1, %in, %d0;\nadd.s64 %d2, %out, %d0;\n"
         "ld.global." +
         type + " " + reg + ", [%d1];\nst.global." + type + " [%d2], " + reg + ";";
}

TEST(WarpCode, RowsThatEndWithMemory) {
  expect_same(copy_up_to_n("u8", 1, "%h0"));
  expect_same(copy_up_to_n("u16", 2, "%h0"));
  expect_same(copy_up_to_n("f32", 4, "%f0"));
  expect_same(copy_up_to_n("u64", 8, "%d3"));
}

TEST(WarpCode, LanesThatAreAway) {
  // Every third lane from n on; the row begins where memory does.
  expect_same(
      "rem.u32 %r0, %x, 3;\nsetp.ne.u32 %p0, %r0, 0;\n@%p0 bra end;\n"
      "setp.lt.u32 %p1, %x, %n;\n@%p1 bra end;\n"
      "sub.s32 %r1, %x, 1024;\nmul.wide.s32 %d0, %r1, 4;\nadd.s64 %d1, %in, %d0;\n"
      "add.s64 %d2, %out, %d0;\nld.global.u32 %r2, [%d1];\nst.global.u32 [%d2], %r2;");
}

TEST(WarpCode, PlacesInSteps) {
  // Four of sixteen bytes, of them the last; then a step that only the kernel's caller knows.
  expect_same(
      "add.u32 %r5, %n, 5;\nsetp.eq.u32 %p0, %x, %r5;\n@%p0 bra end;\n"
      "mul.wide.u32 %d0, %x, 16;\nsub.s64 %d1, %in, 1024;\nadd.s64 %d1, %d1, %d0;\n"
      "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d1];\nxor.b32 %r0, %r0, %r2;\n"
      "sub.s64 %d2, %out, 1024;\nadd.s64 %d2, %d2, %d0;\n"
      "st.global.v4.u32 [%d2], {%r1, %r0, %r3, %r2};\n"
      "and.b32 %r4, %n, 12;\nmul.lo.u32 %r4, %r4, %x;\ncvt.u64.u32 %d3, %r4;\n"
      "sub.s64 %d4, %out, 3072;\nadd.s64 %d4, %d4, %d3;\nst.global.u32 [%d4], %r1;");
}

// All lanes copy elements of theirs that end where memory ends, in another order.
std::string copy_records(unsigned bytes, const std::string& load, const std::string& store) {
  const std::string last = std::to_string(64 * bytes);
  return "mov.u32 %r0, %ntid.x;\nmov.u32 %r1, %tid.z;\nmov.u32 %r2, %ntid.y;\n"
         "mad.lo.u32 %r1, %r1, %r2, %y;\nmad.lo.u32 %r1, %r1, %r0, %x;\n"
         "and.b32 %r2, %n, 1;\nsetp.gt.u32 %p0, %r1, 63;\n@%p0 bra end;\n"
         "mul.wide.u32 %d0, %r1, " +
         std::to_string(bytes) + ";\nsub.s64 %d1, %in, " + last + ";\nadd.s64 %d1, %d1, %d0;\n" +
         "sub.s64 %d2, %out, " + last + ";\nadd.s64 %d2, %d2, %d0;\n" + load + store;
}

TEST(WarpCode, RecordsSideBySide) {
  expect_same(copy_records(4, "ld.global.v4.u8 {%h0, %h1, %h2, %h3}, [%d1];\n",
                           "st.global.v4.u8 [%d2], {%h3, %h0, %h2, %h1};\n"));
  expect_same(copy_records(16, "ld.global.v2.u64 {%d3, %d4}, [%d1];\n",
                           "st.global.v2.u64 [%d2], {%d4, %d3};\n"));
  expect_same(copy_records(16, "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d1];\n",
                           "add.f32 %f0, %f0, %f3;\n"
                           "st.global.v4.f32 [%d2], {%f1, %f2, %f0, %f1};\n"));
  // Three elements, with arithmetic between; then some that are no whole record.
  expect_same(copy_records(12,
                           "ld.global.u32 %r3, [%d1];\nadd.u32 %r3, %r3, %r1;\n"
                           "ld.global.u32 %r4, [%d1+4];\nld.global.u32 %r5, [%d1+8];\n",
                           "st.global.u32 [%d2], %r5;\nst.global.u32 [%d2+4], %r3;\n"
                           "st.global.u32 [%d2+8], %r4;\n"));
  expect_same(copy_records(16, "ld.global.u32 %r3, [%d1+8];\nadd.u32 %r4, %r3, 1;\n",
                           "st.global.u32 [%d2+12], %r4;\nst.global.u32 [%d2+4], %r3;\n"));
  expect_same(copy_records(16, "ld.global.u64 %d3, [%d1+8];\nld.global.u32 %r3, [%d1];\n",
                           "st.global.u64 [%d2], %d3;\nst.global.u32 [%d2+12], %r3;\n"));
  expect_same(copy_records(12, "ld.global.u32 %r3, [%d1];\nld.global.u32 %r4, [%d1+4];\n",
                           "st.global.u32 [%d2+4], %r3;\nst.global.u32 [%d2+8], %r4;\n"));
}

TEST(WarpCode, RecordsThatAreReadAndWrittenInTurn) {
  // The second load reads the bytes that the first store wrote.
  expect_same(copy_records(8, "ld.global.u32 %r3, [%d2];\nst.global.u32 [%d2+4], %r1;\n",
                           "ld.global.u32 %r4, [%d2+4];\nst.global.u32 [%d2], %r4;\n"));
}

TEST(WarpCode, CopiesIntoSharedMemory) {
  // In rows, and in the other order.
  for (const char* place : {"%d1", "%d5"})
    expect_same(
        copy_records(16, "mov.u32 %r3, room;\nshl.b32 %r4, %r1, 4;\nadd.u32 %r3, %r3, %r4;\n",
                     std::string("sub.s64 %d5, %in, 16;\nsub.s64 %d5, %d5, %d0;\n"
                                 "cp.async.ca.shared.global [%r3], [") +
                         place +
                         "], 16, 16;\ncp.async.wait_all;\nld.shared.v2.u64 {%d6, %d7}, [%r3];\n"
                         "st.global.v2.u64 [%d2], {%d6, %d7};\n"));
}

TEST(WarpCode, IndicesThatWrap) {
  // In 32 bits x - n goes below 0 within a warp, and is then taken for large.
  expect_same(
      "sub.s32 %r0, %x, %n;\nand.b32 %r1, %r0, 31;\ncvt.u64.u32 %d0, %r0;\n"
      "and.b64 %d0, %d0, 127;\nshl.b64 %d0, %d0, 2;\nsub.s64 %d1, %in, 1024;\n"
      "add.s64 %d1, %d1, %d0;\nld.global.u32 %r2, [%d1];\ncvt.u64.u32 %d3, %r0;\n"
      "shr.u64 %d3, %d3, 30;\nmul.wide.u32 %d4, %x, 4;\nsub.s64 %d2, %out, 1024;\n"
      "add.s64 %d2, %d2, %d4;\ncvt.u32.u64 %r3, %d3;\nadd.u32 %r2, %r2, %r3;\n"
      "st.global.u32 [%d2], %r2;");
}

TEST(WarpCode, LanesThatAreAwayAreBehindTheEndOfAType) {
  // Lanes are away whose place would be negative: the first ones, or the last.
  const std::string read =
      "shl.b32 %r2, %r1, 2;\ncvt.u64.u32 %d0, %r2;\nsub.s64 %d1, %in, 1024;\n"
      "add.s64 %d1, %d1, %d0;\nld.global.u32 %r3, [%d1];\nmul.wide.u32 %d3, %x, 4;\n"
      "sub.s64 %d2, %out, 2048;\nadd.s64 %d2, %d2, %d3;\nst.global.u32 [%d2], %r3;";
  expect_same(
      "and.b32 %r0, %n, 31;\nsetp.lt.u32 %p0, %x, %r0;\n@%p0 bra end;\n"
      "sub.s32 %r1, %x, %r0;\n" +
      read);
  expect_same(
      "and.b32 %r0, %n, 31;\nsetp.gt.u32 %p0, %x, %r0;\n@%p0 bra end;\n"
      "sub.s32 %r1, %r0, %x;\n" +
      read);
}

TEST(WarpCode, SizesAreTheSameForAllBehindALoopOfSome) {
  // Lanes meet on both ways of a branch by %ntid.x, which those in the loop have read before.
  expect_same(
      "mov.u32 %r0, %x;\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\n"
      "setp.ge.u32 %p0, %x, %n;\n@%p0 bra behind;\n"
      "mov.u32 %r3, %ntid.x;\nturn:\nadd.u32 %r1, %r1, %r0;\nadd.u32 %r2, %r2, 1;\n"
      "add.u32 %r0, %r0, %r3;\nsetp.lt.u32 %p1, %r2, 5;\n@%p1 bra turn;\n"
      "behind:\nmov.u32 %r4, %ntid.x;\nsetp.gt.u32 %p2, %r4, 40;\n@%p2 bra wide;\n"
      "bar.sync 0;\nadd.u32 %r1, %r1, 1;\nbra both;\n"
      "wide:\nadd.u32 %r1, %r1, 2;\nbar.sync 0;\n"
      "both:\nshl.b32 %r5, %y, 6;\nadd.u32 %r5, %r5, %x;\nmul.wide.u32 %d0, %r5, 4;\n"
      "sub.s64 %d1, %out, 4096;\nadd.s64 %d1, %d1, %d0;\nst.global.u32 [%d1], %r1;");
}

TEST(WarpCode, ProductsOfWhichTheUpperHalfIsWanted) {
  // With numbers of all sizes and signs; then a remainder of 64 bits, as nvcc writes it.
  expect_same(
      "mul.wide.u32 %d0, %x, 8;\nmul.wide.u32 %d1, %y, 64;\nsub.s64 %d2, %in, 2048;\n"
      "add.s64 %d2, %d2, %d0;\nadd.s64 %d2, %d2, %d1;\nld.global.u64 %d3, [%d2];\n"
      "ld.global.u64 %d4, [%d2+-1024];\nshl.b64 %d4, %d4, 3;\nneg.s64 %d5, %d4;\n"
      "mul.hi.u64 %d6, %d3, %d4;\nmul.hi.s64 %d7, %d3, %d5;\nmul.hi.s64 %d8, %d5, -1;\n"
      "mad.hi.u64 %d9, %d5, %d3, %d4;\nxor.b64 %d6, %d6, %d7;\nadd.s64 %d6, %d6, %d8;\n"
      "xor.b64 %d6, %d6, %d9;\nrem.u64 %d10, %d3, 1000003;\nadd.s64 %d6, %d6, %d10;\n"
      "sub.s64 %d11, %out, 4096;\nadd.s64 %d11, %d11, %d0;\nadd.s64 %d11, %d11, %d1;\n"
      "st.global.u64 [%d11], %d6;");
}

TEST(WarpCode, CountsThroughLoops) {
  // Strides of 8 through what each lane leaves in turn of its own.
  expect_same(
      "mul.wide.u32 %d0, %x, 4;\nsub.s64 %d1, %in, 4096;\nadd.s64 %d1, %d1, %d0;\n"
      "sub.s64 %d2, %out, 2048;\nadd.s64 %d2, %d2, %d0;\nmov.u32 %r0, %x;\nmov.u32 %r1, 0;\n"
      "again:\nld.global.u32 %r2, [%d1];\nadd.u32 %r1, %r1, %r2;\nadd.s64 %d1, %d1, 32;\n"
      "add.s32 %r0, %r0, 8;\nsetp.lt.u32 %p0, %r0, 50;\n@%p0 bra again;\n"
      "add.u32 %r1, %r1, %r0;\nst.global.u32 [%d2], %r1;");
}

TEST(WarpCode, FunctionsThatACompilerWouldJoin) {
  // To sincosf(), and to ldexpf().
  expect_same(
      "cvt.rn.f32.u32 %f0, %x;\nsin.approx.f32 %f1, %f0;\ncos.approx.f32 %f2, %f0;\n"
      "ex2.approx.f32 %f3, %f0;\nadd.f32 %f1, %f1, %f3;\nmul.wide.u32 %d0, %x, 8;\n"
      "sub.s64 %d2, %out, 1024;\nadd.s64 %d2, %d2, %d0;\nst.global.v2.f32 [%d2], {%f1, %f2};");
}

TEST(WarpCode, WarpsAndLanesByNumber) {
  expect_same(
      "shr.u32 %r0, %x, 5;\nand.b32 %r1, %x, 31;\nmov.u32 %r2, %laneid;\nmov.u32 %r3, %warpid;\n"
      "mad.lo.u32 %r4, %r0, 1000, %r1;\nmad.lo.u32 %r4, %r2, 77, %r4;\n"
      "mad.lo.u32 %r4, %r3, 5000, %r4;\nmov.u32 %r5, %ntid.x;\nmad.lo.u32 %r6, %y, %r5, %x;\n"
      "mov.u32 %r7, %tid.z;\nmad.lo.u32 %r6, %r7, 64, %r6;\nmul.wide.u32 %d0, %r6, 4;\n"
      "sub.s64 %d1, %out, 2048;\nadd.s64 %d1, %d1, %d0;\nst.global.u32 [%d1], %r4;");
}

TEST(WarpCode, FunctionsOfTheLibraryOnWhatIsTheSameForAll) {
  expect_same(
      "prmt.b32 %r0, %n, 287454020, %n;\nfns.b32 %r1, %n, 0, 1;\nadd.u32 %r0, %r0, %r1;\n"
      "add.u32 %r0, %r0, %x;\nmul.wide.u32 %d0, %x, 4;\nsub.s64 %d1, %out, 2048;\n"
      "add.s64 %d1, %d1, %d0;\nst.global.u32 [%d1], %r0;");
}

TEST(WarpCode, BytesByConstants) {
  expect_same(
      "mul.lo.u32 %r0, %x, 2654435769;\nmul.lo.u32 %r1, %x, 40503;\n"
      "prmt.b32 %r2, %r0, %r1, 21520;\nprmt.b32 %r3, %r0, %r1, 291;\n"
      "prmt.b32 %r4, %r0, %r1, 30258;\nprmt.b32 %r5, %r0, %r1, 13136;\n"
      "mad.lo.u32 %r2, %r2, 3, %r3;\nmad.lo.u32 %r2, %r2, 5, %r4;\nmad.lo.u32 %r2, %r2, 7, %r5;\n"
      "mul.wide.u32 %d0, %x, 4;\nsub.s64 %d1, %out, 2048;\nadd.s64 %d1, %d1, %d0;\n"
      "st.global.u32 [%d1], %r2;");
}

TEST(WarpCode, RoundsAsThreadsDo) {
  expect_same(
      "cvt.rn.f32.u32 %f0, %x;\nmul.f32 %f1, %f0, 0f3DCCCCCD;\ncvt.rn.f32.u32 %f2, %n;\n"
      "fma.rm.f32 %f3, %f0, %f1, %f2;\nfma.rp.f32 %f4, %f1, %f1, 0fBF800000;\n"
      "add.rz.f32 %f5, %f3, %f4;\nmul.rm.f32 %f6, %f5, %f1;\nmul.wide.u32 %d0, %x, 4;\n"
      "sub.s64 %d1, %out, 2048;\nadd.s64 %d1, %d1, %d0;\nst.global.f32 [%d1], %f6;");
}

// Eight calls of a function that calls eight times another, and so on: 2 million instructions.
TEST(WarpCode, FunctionsThatWouldBeTooLongInPlaceOfTheirCalls) {
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".func (.param .b32 out) f0(.param .b32 in)\n{\n.reg .b32 %r<2>;\n"
      "ld.param.b32 %r0, [in];\nmul.lo.u32 %r1, %r0, %r0;\n"
      "st.param.b32 [out], %r1;\nret;\n}\n";
  for (int level = 1; level <= 7; ++level) {
    text += ".func (.param .b32 out) f" + std::to_string(level) +
            "(.param .b32 in)\n{\n.reg .b32 %r<2>;\nld.param.b32 %r0, [in];\n";
    for (int call = 0; call < 8; ++call)
      text += "{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r0;\ncall (b), f" +
              std::to_string(level - 1) + ", (a);\nld.param.b32 %r0, [b];\n}\n";
    text += "st.param.b32 [out], %r0;\nret;\n}\n";
  }
  std::string why;
  for (const auto& [level, runs] : {std::pair{2, true}, std::pair{7, false}}) {
    const std::unique_ptr<Program> program(
        load_program({text +
                      ".visible .entry run()\n{\n.reg .b32 %r<2>;\nmov.u32 %r0, %tid.x;\n{\n"
                      ".param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r0;\ncall (b), f" +
                      std::to_string(level) + ", (a);\n}\nret;\n}\n"},
                     &why));
    ASSERT_NE(program, nullptr) << why;
    ASSERT_NE(program->code("run", Extra::kNone, &why), nullptr) << why;
    EXPECT_EQ(program->warp_code("run", Extra::kNone, WarpShape::kRows, &why) != nullptr, runs);
  }
  EXPECT_EQ(why, "its functions, each in the place of its calls, are too long");
}

}  // namespace
}  // namespace xfer::kernels
