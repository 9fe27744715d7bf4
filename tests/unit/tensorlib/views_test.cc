// Views share memory and have the right shape; what cannot be a view says so.
#include <limits>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

using Numbers = std::vector<double>;
using Sizes = std::vector<int64_t>;

Tensor count(IntArrayRef sizes) {
  int64_t n = 1;
  for (int64_t size : sizes) n *= size;
  return arange(n, kFloat).view(sizes);
}

TEST(Views, ShapeAndElements) {
  const Tensor x = count({2, 3});
  struct Case {
    const char* name;
    Tensor view;
    Sizes sizes;
    Numbers elements;
  };
  const Case cases[] = {
      {"t", x.t(), {3, 2}, {0, 3, 1, 4, 2, 5}},
      {"transpose", x.transpose(-1, 0), {3, 2}, {0, 3, 1, 4, 2, 5}},
      {"permute", x.unsqueeze(0).permute({2, 0, 1}), {3, 1, 2}, {0, 3, 1, 4, 2, 5}},
      {"view", x.view({3, -1}), {3, 2}, {0, 1, 2, 3, 4, 5}},
      {"flatten", x.flatten(), {6}, {0, 1, 2, 3, 4, 5}},
      {"slice", x.slice(1, 0, 3, 2), {2, 2}, {0, 2, 3, 5}},
      {"slice from the end", x.slice(1, -2), {2, 2}, {1, 2, 4, 5}},
      {"slice past the end", x.slice(0, 1, 100), {1, 3}, {3, 4, 5}},
      {"empty slice", x.slice(0, 2, 1), {0, 3}, {}},
      {"narrow", x.narrow(1, 1, 2), {2, 2}, {1, 2, 4, 5}},
      {"select", x.select(1, -1), {2}, {2, 5}},
      {"index", x[1], {3}, {3, 4, 5}},
      {"index twice", x[1][2], {}, {5}},
      {"unsqueeze", x.unsqueeze(-1), {2, 3, 1}, {0, 1, 2, 3, 4, 5}},
      {"squeeze", x.unsqueeze(1).squeeze(), {2, 3}, {0, 1, 2, 3, 4, 5}},
      {"squeeze of another size", x.squeeze(0), {2, 3}, {0, 1, 2, 3, 4, 5}},
      {"expand", x.narrow(0, 0, 1).expand({2, -1}), {2, 3}, {0, 1, 2, 0, 1, 2}},
      {"as_strided", x.as_strided({2, 2}, {1, 1}, 1), {2, 2}, {1, 2, 2, 3}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(c.view.sizes(), c.sizes);
    EXPECT_EQ(elements(c.view), c.elements);
    EXPECT_TRUE(c.view.is_alias_of(x));
    EXPECT_EQ(c.view.numel(), static_cast<int64_t>(c.elements.size()));
  }
}

TEST(Views, WritesThroughAViewAreSeen) {
  const Tensor x = zeros({2, 2});
  x.t()[0].fill_(7);
  EXPECT_EQ(elements(x), (Numbers{7, 0, 7, 0}));
}

TEST(Views, ViewOfAPermutedTensorWhereThereIsOne) {
  const Tensor x = count({2, 3, 4}).permute({1, 0, 2});
  EXPECT_EQ(x.view({3, 2, 2, 2}).sizes(), Sizes({3, 2, 2, 2}));
  EXPECT_THROW((void)x.view({6, 4}), ShapeError);
  EXPECT_EQ(elements(x.reshape({6, 4})), elements(x));
  EXPECT_FALSE(x.reshape({6, 4}).is_alias_of(x));
  EXPECT_TRUE(x.reshape({3, 2, 4}).is_alias_of(x));
}

TEST(Views, ContiguousCopiesOnlyWhatIsNot) {
  const Tensor x = count({2, 3});
  EXPECT_TRUE(x.contiguous().is_same(x));
  EXPECT_TRUE(x.narrow(0, 1, 1).is_contiguous());
  EXPECT_FALSE(x.t().is_contiguous());
  EXPECT_EQ(elements(x.t().contiguous()), (Numbers{0, 3, 1, 4, 2, 5}));
}

TEST(Copies, RepeatAndFlip) {
  for (const Device& device : devices()) {
    const Tensor x = tensor({{1, 2}, {3, 4}}).to(device);
    EXPECT_EQ(x.repeat({2, 1, 2}).sizes(), std::vector<int64_t>({2, 2, 4}));
    EXPECT_EQ(elements(x.repeat({1, 2})), (std::vector<double>{1, 2, 1, 2, 3, 4, 3, 4}));
    EXPECT_EQ(elements(x.t().repeat({2, 1})), (std::vector<double>{1, 3, 2, 4, 1, 3, 2, 4}));
    EXPECT_EQ(x.repeat({0, 1}).sizes(), std::vector<int64_t>({0, 2}));
    EXPECT_FALSE(x.repeat({1, 1}).is_alias_of(x));
    EXPECT_EQ(elements(x.flip({0})), (std::vector<double>{3, 4, 1, 2}));
    EXPECT_EQ(elements(flip(x, {0, -1})), (std::vector<double>{4, 3, 2, 1}));
    EXPECT_FALSE(x.flip({}).is_alias_of(x));
    EXPECT_THROW((void)x.repeat({2}), ShapeError);
    EXPECT_THROW((void)x.repeat({-1, 2}), ShapeError);
    EXPECT_THROW((void)x.flip({0, 0}), Error);
    EXPECT_THROW((void)x.flip({2}), IndexError);
  }
}

TEST(Views, BadArgumentsAreErrors) {
  const Tensor x = count({2, 3});
  EXPECT_THROW((void)x.view({4}), ShapeError);
  EXPECT_THROW((void)x.view({-1, -1}), ShapeError);
  EXPECT_THROW((void)x.view({0, -1}), ShapeError);
  EXPECT_THROW((void)x.view({int64_t{1} << 62, 8}), ShapeError);
  EXPECT_THROW((void)x.select(0, 2), IndexError);
  EXPECT_THROW((void)x.select(2, 0), IndexError);
  EXPECT_THROW((void)x.narrow(1, 2, 2), IndexError);
  EXPECT_THROW((void)x.narrow(1, 2, int64_t{1} << 62), IndexError);
  EXPECT_THROW((void)x.slice(0, 0, 1, 0), IndexError);
  EXPECT_THROW((void)x.permute({0, 0}), IndexError);
  EXPECT_THROW((void)x.expand({4, 3}), ShapeError);
  EXPECT_THROW((void)x.as_strided({2, 4}, {3, 1}), ShapeError);
  EXPECT_THROW((void)x.as_strided({2}, {int64_t{1} << 62}), ShapeError);
  EXPECT_THROW((void)x.unsqueeze(3), IndexError);
  EXPECT_THROW((void)x.flatten(1, 0), IndexError);
  EXPECT_THROW((void)count({2, 2, 2}).t(), ShapeError);
  EXPECT_THROW((void)ones({1, 1, 1, 1, 1, 1, 1, 1}).unsqueeze(0), ShapeError);
  EXPECT_THROW((void)ones({1, 1, 1, 1, 1, 1, 1, 1, 1}), ShapeError);
}

// Copies that swap the innermost dimensions go tile by tile; edges and outer dimensions included.
// No number of elements and no stride is beyond int64, where there are elements and where there are
// none.
TEST(Views, ShapesThatOverflowAreErrors) {
  constexpr int64_t kHuge = int64_t{1} << 40;
  EXPECT_THROW((void)ones({1, 1}).expand({kHuge, kHuge}), ShapeError);
  EXPECT_THROW((void)ones({1, 1}).repeat({kHuge, kHuge}), ShapeError);
  EXPECT_THROW((void)ones({1}).as_strided({kHuge, kHuge, 0}, {0, 0, 0}), ShapeError);
  EXPECT_THROW((void)zeros({0, kHuge, kHuge}), ShapeError);
  EXPECT_THROW((void)zeros({kHuge, kHuge, 0}), ShapeError);
  EXPECT_THROW((void)zeros({0}).view({0, kHuge, kHuge}), ShapeError);
  EXPECT_EQ(ones({1}).expand({kHuge}).numel(), kHuge);
}

TEST(Views, NumbersAtTheEndOfTheirRange) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const Tensor x = arange(6).view({2, 3});
  EXPECT_EQ(elements(x.roll(kLeast, 1)), elements(x.roll(kLeast % 3, 1)));
  EXPECT_EQ(elements(x.roll(-1, 1)), (std::vector<double>{1, 2, 0, 4, 5, 3}));
  EXPECT_EQ(elements(x.tril(kMost)), elements(x));
  EXPECT_EQ(elements(x.triu(kLeast)), elements(x));
  EXPECT_EQ(elements(x.tril(kLeast)), elements(zeros({2, 3})));
  EXPECT_EQ(elements(x.triu(kMost)), elements(zeros({2, 3})));
  EXPECT_THROW((void)x.diag(kLeast), ShapeError);
}

TEST(Views, TransposedCopiesOfAnySize) {
  for (const ScalarType type : {kByte, kShort, kBFloat16, kFloat, kDouble}) {
    for (const Sizes& sizes : {Sizes{1, 1, 5}, Sizes{1, 16, 64}, Sizes{1, 65, 17},
                               Sizes{3, 18, 100}, Sizes{2, 7, 3}, Sizes{1, 129, 2}}) {
      const Tensor x = count(sizes).mul(0.03).to(type);
      const Tensor y = x.transpose(1, 2).contiguous();
      ASSERT_TRUE(y.is_contiguous());
      const Numbers from = elements(x), to = elements(y);
      size_t at = 0;
      for (int64_t plane = 0; plane < sizes[0]; ++plane) {
        for (int64_t column = 0; column < sizes[2]; ++column) {
          for (int64_t row = 0; row < sizes[1]; ++row, ++at) {
            const auto source = static_cast<size_t>((plane * sizes[1] + row) * sizes[2] + column);
            ASSERT_EQ(to[at], from[source]) << sizes[1] << "x" << sizes[2] << " at " << at;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tensorlib::testing
