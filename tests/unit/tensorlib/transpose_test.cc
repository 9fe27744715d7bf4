// Copies that change dimensions' places, by blocks, tiles and registers, against one element at a
// time.
#include "backend/cpu/transpose.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace tensorlib::cpu {
namespace {

// The result is a plain array of these sizes; dimension d of the source has strides[d].
Geometry<2> geometry(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  Geometry<2> g;
  g.ndim = static_cast<int>(sizes.size());
  for (int d = g.ndim - 1; d >= 0; --d) {
    g.sizes[d] = sizes[static_cast<std::size_t>(d)];
    g.strides[0][d] = g.numel;
    g.strides[1][d] = strides[static_cast<std::size_t>(d)];
    g.numel *= g.sizes[d];
  }
  return g;
}

template <class T>
void expect_copied(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  const Geometry<2> g = geometry(sizes, strides);
  ASSERT_TRUE(is_transposed(g));
  int64_t extent = 1;
  for (int d = 0; d < g.ndim; ++d) extent += (g.sizes[d] - 1) * g.strides[1][d];
  std::mt19937_64 random(1);
  std::vector<T> in(static_cast<std::size_t>(extent));
  for (T& value : in) value = static_cast<T>(random());
  constexpr T kUntouched = 77;
  std::vector<T> out(static_cast<std::size_t>(g.numel) + 64, kUntouched);
  copy_transposed(g, out.data(), in.data());
  for (int64_t i = 0; i < g.numel; ++i) {
    int64_t rest = i;
    int64_t offset = 0;
    for (int d = g.ndim - 1; d >= 0; --d) {
      offset += rest % g.sizes[d] * g.strides[1][d];
      rest /= g.sizes[d];
    }
    ASSERT_EQ(out[static_cast<std::size_t>(i)], in[static_cast<std::size_t>(offset)]) << i;
  }
  for (std::size_t i = static_cast<std::size_t>(g.numel); i < out.size(); ++i)
    ASSERT_EQ(out[i], kUntouched) << "behind the end";
}

template <class T>
class TransposeTest : public testing::Test {};
using Sizes = testing::Types<uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(TransposeTest, Sizes);

TYPED_TEST(TransposeTest, MatricesOfAnySize) {
  for (const int64_t rows : {2, 3, 7, 8, 9, 16, 63, 64, 65, 130, 600})
    for (const int64_t columns : {2, 5, 8, 15, 16, 17, 64, 127, 520})
      ASSERT_NO_FATAL_FAILURE(expect_copied<TypeParam>({rows, columns}, {1, rows}))
          << rows << " x " << columns;
}

TYPED_TEST(TransposeTest, RowsThatAreFurtherApartThanTheyAreLong) {
  expect_copied<TypeParam>({100, 90}, {1, 128});
  expect_copied<TypeParam>({3, 100, 90}, {90 * 128, 1, 128});
}

TYPED_TEST(TransposeTest, AnyDimensionMayBeTheOneThatLiesTogether) {
  expect_copied<TypeParam>({70, 20, 90}, {1, 70, 70 * 20});  // all turned about
  expect_copied<TypeParam>({5, 70, 90}, {70 * 90, 1, 70});   // the last two
  expect_copied<TypeParam>({70, 4, 5, 66}, {1, 70 * 66, 70 * 66 * 4, 70});
}

TEST(Transpose, OthersAreLeftToOthers) {
  EXPECT_FALSE(is_transposed(geometry({4, 5}, {5, 1}))) << "a plain copy";
  EXPECT_FALSE(is_transposed(geometry({4, 5}, {2, 8}))) << "nothing lies together";
  EXPECT_FALSE(is_transposed(geometry({4, 5, 6}, {1, 1, 9}))) << "two dimensions overlap";
}

}  // namespace
}  // namespace tensorlib::cpu
