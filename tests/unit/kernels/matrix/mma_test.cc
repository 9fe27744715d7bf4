// mma, each form against a plain product of matrices.

#include "unit/kernels/matrix/mma.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace xfer::kernels::testing {
namespace {

std::vector<Mma> forms() {
  std::vector<Mma> all;
  for (const unsigned k : {4U, 8U, 16U}) all.push_back({16, 8, k, "f64", "f64", "f64", "f64"});
  all.push_back({8, 8, 4, "f64", "f64", "f64", "f64"});
  for (const unsigned k : {4U, 8U}) all.push_back({16, 8, k, "f32", "tf32", "tf32", "f32"});
  for (const unsigned k : {8U, 16U}) {
    all.push_back({16, 8, k, "f32", "bf16", "bf16", "f32"});
    all.push_back({16, 8, k, "f32", "f16", "f16", "f32"});
    all.push_back({16, 8, k, "f16", "f16", "f16", "f16"});
  }
  for (const unsigned k : {16U, 32U}) {
    all.push_back({16, 8, k, "f32", "e4m3", "e5m2", "f32"});
    all.push_back({16, 8, k, "f16", "e5m2", "e4m3", "f16"});
  }
  for (const auto& [m, k] : {std::pair{8U, 16U}, {16U, 16U}, {16U, 32U}})
    for (const auto& [a, b] : {std::pair{"s8", "u8"}, {"u8", "s8"}, {"u8", "u8"}, {"s8", "s8"}})
      all.push_back({m, 8, k, "s32", a, b, "s32"});
  for (const auto& [m, k] : {std::pair{8U, 32U}, {16U, 32U}, {16U, 64U}})
    for (const auto& [a, b] : {std::pair{"s4", "u4"}, {"u4", "s4"}})
      all.push_back({m, 8, k, "s32", a, b, "s32"});
  for (const auto& [m, k] : {std::pair{8U, 128U}, {16U, 128U}, {16U, 256U}})
    all.push_back({m, 8, k, "s32", "b1", "b1", "s32", ".and.popc"});
  return all;
}

TEST(Mma, EveryFormIsTheProductOfTheMatrices) {
  for (const Mma& mma : forms()) {
    SCOPED_TRACE(mma.text());
    std::mt19937 random(7);
    const Matrix a = random_matrix(mma.m, mma.k, mma.a, random);
    const Matrix b = random_matrix(mma.k, mma.n, mma.b, random);
    const Matrix c = random_matrix(mma.m, mma.n, mma.c, random);
    EXPECT_EQ(run(mma, a, b, c).values, product(a, b, c).values);
  }
}

/// A matrix with these first elements in each row.
Matrix rows_of(unsigned rows, unsigned columns, const std::vector<double>& first) {
  Matrix matrix(rows, columns);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < first.size(); ++j) matrix.at(i, j) = first[j];
  return matrix;
}

Matrix filled(unsigned rows, unsigned columns, double value) {
  return rows_of(rows, columns, std::vector<double>(columns, value));
}

void expect_all(const Matrix& matrix, double value) {
  EXPECT_EQ(matrix.values, std::vector<double>(matrix.values.size(), value));
}

TEST(Mma, ExclusiveOr) {
  const Mma mma{8, 8, 128, "s32", "b1", "b1", "s32", ".xor.popc"};
  expect_all(run(mma, rows_of(8, 128, {1, 1, 1}), filled(128, 8, 1), filled(8, 8, 10)), 135);
}

TEST(Mma, RoundsOnce) {
  const Mma narrow{16, 8, 8, "f16", "f16", "f16", "f16"};
  expect_all(run(narrow, rows_of(16, 8, {2048, 1, 1}), filled(8, 8, 1), filled(16, 8, 0)), 2050);
  const Mma wide{16, 8, 8, "f32", "f16", "f16", "f32"};
  expect_all(run(wide, rows_of(16, 8, {4096, 1, 1}), filled(8, 8, 1), filled(16, 8, 0x1p24 - 4096)),
             0x1p24 + 2);
}

TEST(Mma, OfHalvesHasSubnormalsAndInfinities) {
  const Mma mma{16, 8, 8, "f32", "f16", "f16", "f32"};
  expect_all(run(mma, filled(16, 8, 0x1p-24), filled(8, 8, -0x1p-24), filled(16, 8, 0)), -0x1p-45);
  const double infinity = std::numeric_limits<double>::infinity();
  expect_all(run(mma, rows_of(16, 8, {infinity}), filled(8, 8, -2), filled(16, 8, 0)), -infinity);
  const Mma narrow{16, 8, 8, "f16", "f16", "f16", "f16"};
  expect_all(run(narrow, filled(16, 8, 200), filled(8, 8, 200), filled(16, 8, 0)), infinity);
  EXPECT_TRUE(
      std::isnan(run(mma, rows_of(16, 8, {infinity}), filled(8, 8, 0), filled(16, 8, 0)).at(3, 3)));
}

TEST(Mma, OfIntegersWrapsOrSaturates) {
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  constexpr double kLeast = std::numeric_limits<std::int32_t>::min();
  const Matrix a = rows_of(8, 16, {1});
  const Matrix b = filled(16, 8, 1);
  Mma mma{8, 8, 16, "s32", "s8", "s8", "s32"};
  expect_all(run(mma, a, b, filled(8, 8, kMost)), kLeast);
  expect_all(run(mma, a, filled(16, 8, -1), filled(8, 8, kLeast)), kMost);
  mma.before = ".satfinite";
  expect_all(run(mma, a, b, filled(8, 8, kMost)), kMost);
  expect_all(run(mma, a, filled(16, 8, -1), filled(8, 8, kLeast)), kLeast);
}

TEST(Mma, OfDoublesIsAChainOfFma) {
  const Mma mma{16, 8, 16, "f64", "f64", "f64", "f64"};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  Matrix a(16, 16), b(16, 8), c(16, 8);
  for (Matrix* matrix : {&a, &b, &c})
    for (double& value : matrix->values) value = number(random);
  Matrix d = c;
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned j = 0; j < 8; ++j)
      for (unsigned k = 0; k < 16; ++k) d.at(i, j) = std::fma(a.at(i, k), b.at(k, j), d.at(i, j));
  EXPECT_EQ(run(mma, a, b, c).values, d.values);
}

}  // namespace
}  // namespace xfer::kernels::testing
