// wmma, each form against a plain product of matrices.

#include "unit/kernels/matrix/wmma.h"

#include <gtest/gtest.h>

#include <cmath>

namespace xfer::kernels::testing {
namespace {

std::vector<Wmma> forms() {
  std::vector<Wmma> all;
  const auto layouts = [&](Wmma wmma) {
    for (const char* a : {"row", "col"})
      for (const char* b : {"row", "col"})
        for (const char* sums : {"row", "col"}) {
          wmma.of_a = a, wmma.of_b = b, wmma.of_sums = sums;
          // Each stride and each space with some of them.
          wmma.gap = all.size() % 3 == 0 ? 0 : 16;
          wmma.space = static_cast<Space>(all.size() % 3);
          all.push_back(wmma);
        }
  };
  for (const auto& [m, n] : {std::pair{16U, 16U}, {8U, 32U}, {32U, 8U}}) {
    for (const char* d : {"f16", "f32"})
      for (const char* c : {"f16", "f32"}) layouts({m, n, 16, d, "f16", c});
    layouts({m, n, 16, "f32", "bf16", "f32"});
    layouts({m, n, 16, "s32", "s8", "s32"});
    layouts({m, n, 16, "s32", "u8", "s32"});
  }
  layouts({16, 16, 8, "f32", "tf32", "f32"});
  layouts({8, 8, 4, "f64", "f64", "f64"});
  for (Wmma wmma : {Wmma{8, 8, 32, "s32", "s4", "s32"},
                    {8, 8, 32, "s32", "u4", "s32"},
                    {8, 8, 128, "s32", "b1", "s32"}})
    for (const char* sums : {"row", "col"}) {
      if (wmma.ab == "b1") wmma.front = ".and.popc";
      wmma.of_sums = sums;
      wmma.gap = wmma.gap == 0 ? 128 : 0;
      all.push_back(wmma);
    }
  return all;
}

TEST(Wmma, EveryFormIsTheProductOfTheMatrices) {
  for (const Wmma& wmma : forms()) {
    SCOPED_TRACE(wmma.text() + " " + wmma.of_sums);
    std::mt19937 random(11);
    const Matrix a = random_matrix(wmma.m, wmma.k, wmma.ab, random);
    const Matrix b = random_matrix(wmma.k, wmma.n, wmma.ab, random);
    const Matrix c = random_matrix(wmma.m, wmma.n, wmma.c, random);
    EXPECT_EQ(run(wmma, a, b, c).values, product(a, b, c).values);
  }
}

TEST(Wmma, FragmentsTakeOperationsOnAllTheirRegisters) {
  Wmma wmma{16, 16, 16, "f32", "f16", "f32"};
  for (unsigned i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    wmma.between += "xor.b32 %a" + n + ", %a" + n + ", 0x80008000;\n";
    wmma.after += "add.f32 %d" + n + ", %d" + n + ", %c" + n + ";\n";
  }
  std::mt19937 random(5);
  const Matrix a = random_matrix(16, 16, "f16", random);
  const Matrix b = random_matrix(16, 16, "f16", random);
  const Matrix c = random_matrix(16, 16, "f32", random);
  Matrix minus_a = a, twice_c = c;
  for (double& value : minus_a.values) value = -value;
  for (double& value : twice_c.values) value *= 2;
  EXPECT_EQ(run(wmma, a, b, c).values, product(minus_a, b, twice_c).values);
}

/// All elements of A, B and C alike: what the sums are.
double sum_of(const Wmma& wmma, double a, double b, double c) {
  Matrix all_a(wmma.m, wmma.k), all_b(wmma.k, wmma.n), all_c(wmma.m, wmma.n);
  all_a.values.assign(all_a.values.size(), a);
  all_b.values.assign(all_b.values.size(), b);
  all_c.values.assign(all_c.values.size(), c);
  const Matrix d = run(wmma, all_a, all_b, all_c);
  EXPECT_EQ(d.values, std::vector<double>(d.values.size(), d.at(0, 0)));
  return d.at(0, 0);
}

TEST(Wmma, OfDoublesRoundsAsItIsTold) {
  Wmma wmma{8, 8, 4, "f64", "f64", "f64"};
  const double below = std::nextafter(1, 0);
  const double above = std::nextafter(1, 2);
  wmma.behind = ".rn";
  EXPECT_EQ(sum_of(wmma, 0x1p-60, 1, 1), 1);
  wmma.behind = ".rp";
  EXPECT_GT(sum_of(wmma, 0x1p-60, 1, 1), above);  // at each of four steps
  wmma.behind = ".rm";
  EXPECT_LT(sum_of(wmma, 0x1p-60, -1, 1), below);
  wmma.behind = ".rz";
  EXPECT_EQ(sum_of(wmma, 0x1p-60, 1, 1), 1);
}

}  // namespace
}  // namespace xfer::kernels::testing
