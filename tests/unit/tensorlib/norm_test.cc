// Layer norm in every type, against its definition in double.
#include <cmath>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

// Of rows of n numbers.
std::vector<double> normalized(const std::vector<double>& x, size_t n, double eps) {
  std::vector<double> result;
  for (size_t row = 0; row < x.size(); row += n) {
    double mean = 0, variance = 0;
    for (size_t i = row; i < row + n; ++i) mean += x[i] / static_cast<double>(n);
    for (size_t i = row; i < row + n; ++i) {
      variance += (x[i] - mean) * (x[i] - mean) / static_cast<double>(n);
    }
    for (size_t i = row; i < row + n; ++i) {
      result.push_back((x[i] - mean) / std::sqrt(variance + eps));
    }
  }
  return result;
}

TEST(LayerNorm, IsItsDefinitionInEveryTypeAndLayout) {
  for (const Device& device : devices()) {
    for (ScalarType type : kFloatingTypes) {
      SCOPED_TRACE(::testing::Message() << name_of(type) << " on " << device);
      manual_seed(3);
      // Far from 0, where a mean of two bytes would be wrong.
      const Tensor x = (rand({2, 3, 8}, kDouble) * 4 + 20).to(device, type);
      const auto expected = normalized(elements(x), 8, 1e-5);
      EXPECT_TRUE(near(elements(layer_norm(x, 8)), expected, 8 * tolerance(type)));
      const Tensor other = x.permute({1, 0, 2}).contiguous().permute({1, 0, 2});
      EXPECT_TRUE(near(elements(layer_norm(other, 8)), expected, 8 * tolerance(type)));
      EXPECT_TRUE(near(elements(layer_norm(x, {3, 8})), normalized(elements(x), 24, 1e-5),
                       8 * tolerance(type)));
      const Tensor weight = arange(8, kDouble).to(device, type), bias = ones({8}).to(device, type);
      std::vector<double> scaled = expected;
      for (size_t i = 0; i < scaled.size(); ++i) {
        scaled[i] = scaled[i] * static_cast<double>(i % 8) + 1;
      }
      EXPECT_TRUE(near(elements(layer_norm(x, 8, weight, bias)), scaled, 8 * tolerance(type)));
      EXPECT_EQ(layer_norm(x, 8, weight, bias).dtype(), type);
    }
  }
}

TEST(LayerNorm, EndsOfTheRange) {
  for (const Device& device : devices()) {
    EXPECT_EQ(elements(layer_norm(full({2, 1}, 7, TensorOptions(device).dtype(kFloat)), 1)),
              (std::vector<double>{0, 0}));
    EXPECT_EQ(layer_norm(zeros({0, 4}, device), 4).numel(), 0);
    EXPECT_EQ(layer_norm(zeros({2, 0}, device), 0).numel(), 0);
    EXPECT_TRUE(std::isnan(layer_norm(full({2}, NAN, device), 2)[0].item<float>()));
  }
  EXPECT_THROW((void)layer_norm(ones({2, 3}), 2), ShapeError);
  EXPECT_THROW((void)layer_norm(ones({2, 3}), {}), ShapeError);
  EXPECT_THROW((void)layer_norm(ones({3}), {2, 3}), ShapeError);
  EXPECT_THROW((void)layer_norm(ones({2, 3}), 3, ones({2})), ShapeError);
  EXPECT_THROW((void)layer_norm(ones({2, 3}, kLong), 3), DTypeMismatchError);
  EXPECT_THROW((void)layer_norm(ones({2, 3}), 3, ones({3}, kDouble)), DTypeMismatchError);
}

TEST(LayerNorm, TheLayerOwnsItsScaleAndShift) {
  nn::LayerNorm layer(nn::LayerNormOptions({2, 3}).eps(0.5));
  EXPECT_EQ(layer->named_parameters().keys(), (std::vector<std::string>{"weight", "bias"}));
  EXPECT_EQ(layer->weight.sizes(), std::vector<int64_t>({2, 3}));
  const Tensor x = rand({4, 2, 3});
  EXPECT_TRUE(near(elements(layer(x)), normalized(elements(x), 6, 0.5), 1e-5));
  nn::LayerNorm plain(nn::LayerNormOptions({3}).elementwise_affine(false));
  EXPECT_TRUE(plain->parameters().empty());
  EXPECT_EQ(plain(x).sizes(), x.sizes());
}

}  // namespace
}  // namespace tensorlib::testing
