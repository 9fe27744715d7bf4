// ldmatrix, stmatrix and movmatrix.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <sstream>

#include "unit/kernels/matrix/kernel_text.h"
#include "unit/kernels/matrix/values.h"
#include "unit/kernels/matrix/warp.h"

namespace xfer::kernels::testing {
namespace {

/// Four matrices of 8 * 8; row i of matrix j is row 8 * j + i here.
using Rows = std::array<std::array<std::uint16_t, 8>, 32>;
/// The contents of four registers of each lane.
using Lanes = std::array<std::array<std::uint16_t[2], 4>, 32>;

constexpr const char* kDeclarations =
    ".reg .b32 %r<4>, %at, %n;\n.reg .b64 %g;\n.reg .pred %q;\n.shared .align 16 .b8 room[512];\n";

/// The rows lie in shared memory in another order. Lanes that have no row name a place that is
/// none.
std::string row_address(unsigned lanes) {
  std::ostringstream text;
  text << "mul.lo.u32 %n, %lane, 5;\nand.b32 %n, %n, 31;\nshl.b32 %n, %n, 4;\n"
       << "mov.u32 %at, room;\nadd.u32 %at, %at, %n;\nsetp.ge.u32 %q, %lane, " << lanes
       << ";\n@%q mov.u32 %at, 0xFFFFFFF0;\n";
  return text.str();
}

/// A row of 16 bytes a lane between global memory at %p0 and shared memory.
std::string copied(bool to_shared) {
  const std::string values = registers("r", 4);
  return row_address(32) + "shl.b64 %g, %wide, 4;\nadd.u64 %g, %g, %p0;\n" +
         (to_shared ? "ld.global.v4.b32 " + values + ", [%g];\nst.shared.v4.b32 [%at], " + values
                    : "bar.warp.sync -1;\nld.shared.v4.b32 " + values +
                          ", [%at];\nst.global.v4.b32 [%g], " + values) +
         ";\n";
}

std::string lanes_moved(bool load) {
  const std::string text = "shl.b64 %g, %wide, 4;\nadd.u64 %g, %g, %p1;\n";
  const std::string values = registers("r", 4);
  return text + (load ? "ld.global.v4.b32 " + values + ", [%g];\n"
                      : "st.global.v4.b32 [%g], " + values + ";\n");
}

Rows numbered() {
  Rows rows;
  for (unsigned i = 0; i < 32; ++i)
    for (unsigned j = 0; j < 8; ++j) rows[i][j] = static_cast<std::uint16_t>(i * 256 + j + 1);
  return rows;
}

/// As the ISA's picture: lane 4 * i + j holds elements 2 * j and 2 * j + 1 of row i, or of column
/// i.
std::uint16_t& element(Rows& rows, unsigned matrix, unsigned lane, unsigned half, bool turned) {
  const unsigned row = lane / 4;
  const unsigned column = lane % 4 * 2 + half;
  return turned ? rows[matrix * 8 + column][row] : rows[matrix * 8 + row][column];
}

class Rectangles : public ::testing::TestWithParam<std::tuple<unsigned, bool>> {
 protected:
  unsigned count() const { return std::get<0>(GetParam()); }
  bool turned() const { return std::get<1>(GetParam()); }
  std::string form(const char* name) const {
    return std::string(name) + ".sync.aligned.m8n8.x" + std::to_string(count()) +
           (turned() ? ".trans" : "") + ".shared.b16 ";
  }
};

TEST_P(Rectangles, AreLoaded) {
  Rows rows = numbered();
  Lanes lanes{};
  run_warp(kernel(2, kDeclarations,
                  copied(true) + "mov.b32 %r1, 0;\nmov.b32 %r2, 0;\nmov.b32 %r3, 0;\n" +
                      row_address(count() * 8) + form("ldmatrix") + registers("r", count()) +
                      ", [%at];\n" + lanes_moved(false)),
           {rows.data(), lanes.data()});
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned half = 0; half < 2; ++half)
        EXPECT_EQ(lanes[lane][i][half], i < count() ? element(rows, i, lane, half, turned()) : 0)
            << lane << " " << i;
}

TEST_P(Rectangles, AreStored) {
  const Rows before = numbered();
  Rows rows = before;
  Rows expected = before;
  Lanes lanes{};
  std::uint16_t next = 20000;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned half = 0; half < 2; ++half) {
        lanes[lane][i][half] = ++next;
        if (i < count()) element(expected, i, lane, half, turned()) = next;
      }
  run_warp(
      kernel(2, kDeclarations,
             copied(true) + "bar.warp.sync -1;\n" + lanes_moved(true) + row_address(count() * 8) +
                 form("stmatrix") + "[%at], " + registers("r", count()) + ";\n" + copied(false)),
      {rows.data(), lanes.data()});
  EXPECT_EQ(rows, expected);
}

INSTANTIATE_TEST_SUITE_P(All, Rectangles,
                         ::testing::Combine(::testing::Values(1U, 2U, 4U), ::testing::Bool()));

TEST(Movmatrix, TurnsTheMatrixOver) {
  Rows rows = numbered();
  Lanes lanes{};
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned half = 0; half < 2; ++half)
      lanes[lane][0][half] = element(rows, 0, lane, half, false);
  run_warp(kernel(2, kDeclarations,
                  lanes_moved(true) + "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r0;\n" +
                      lanes_moved(false)),
           {rows.data(), lanes.data()});
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned half = 0; half < 2; ++half)
      EXPECT_EQ(lanes[lane][0][half], element(rows, 0, lane, half, true)) << lane;
}

/// As libraries of kernels multiply: 16 * 16 by 16 * 8, both row by row in shared memory.
TEST(Ldmatrix, FeedsMma) {
  std::mt19937 random(9);
  const Matrix a = random_matrix(16, 16, "f16", random);
  const Matrix b = random_matrix(16, 8, "f16", random);
  Packed memory(16 * 16 + 16 * 8, 16);
  for (unsigned i = 0; i < 256; ++i) memory.set(i, code_of("f16", a.values[i]));
  for (unsigned i = 0; i < 128; ++i) memory.set(256 + i, code_of("f16", b.values[i]));
  std::vector<float> d(16 * 8);
  const std::string text = R"(
    mad.lo.u64 %g, %wide, 24, %p0;
    mov.u32 %at, room;
    mad.lo.u32 %at, %lane, 24, %at;
    ld.global.b64 %v, [%g]; st.shared.b64 [%at], %v;
    ld.global.b64 %v, [%g+8]; st.shared.b64 [%at+8], %v;
    ld.global.b64 %v, [%g+16]; st.shared.b64 [%at+16], %v;
    and.b32 %n, %lane, 15;
    shr.u32 %m, %lane, 4;
    mov.u32 %at, room;
    mad.lo.u32 %at, %n, 32, %at;
    mad.lo.u32 %at, %m, 16, %at;
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];
    mov.u32 %at, room;
    mad.lo.u32 %at, %n, 16, %at;
    ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%b0, %b1}, [%at+512];
    mov.f32 %c, 0f00000000;
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
      {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c, %c, %c, %c};
    shl.b64 %g, %wide, 3;
    add.u64 %g, %g, %p1;
    st.global.v2.f32 [%g], {%d0, %d1};
    st.global.v2.f32 [%g+256], {%d2, %d3};
)";
  run_warp(kernel(2,
                  ".reg .b32 %a<4>, %b<2>, %at, %n, %m;\n.reg .f32 %c, %d<4>;\n.reg .b64 %g, %v;\n"
                  ".shared .align 16 .b8 room[768];\n",
                  text),
           {memory.data(), d.data()});
  EXPECT_EQ(std::vector<double>(d.begin(), d.end()), product(a, b, Matrix(16, 8)).values);
}

}  // namespace
}  // namespace xfer::kernels::testing
