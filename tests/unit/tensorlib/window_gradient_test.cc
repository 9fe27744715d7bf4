// Gradients of convolution, pooling and batch norm in every type, against those in double on the
// CPU, which autograd_test.cc holds to finite differences.
#include <functional>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

using Operands = std::vector<Tensor>;

struct Case {
  const char* name;
  std::vector<std::vector<int64_t>> shapes;
  std::function<Tensor(const Operands&)> function;
};

const Case kCases[] = {
    {"conv1d",
     {{3, 4, 9}, {6, 2, 3}, {6}},
     [](const Operands& x) { return conv1d(x[0], x[1], x[2], 2, 1, 1, 2); }},
    {"conv2d",
     {{3, 4, 9, 7}, {6, 4, 3, 3}, {6}},
     [](const Operands& x) { return conv2d(x[0], x[1], x[2], 2, 1); }},
    {"conv2d, 1x1",
     {{2, 16, 5, 5}, {8, 16, 1, 1}},
     [](const Operands& x) { return conv2d(x[0], x[1]); }},
    {"conv2d, groups and dilation",
     {{2, 4, 8, 8}, {4, 2, 3, 2}},
     [](const Operands& x) { return conv2d(x[0], x[1], {}, {1, 2}, {2, 0}, {2, 1}, 2); }},
    {"conv2d, whose windows leave a rim",
     {{1, 8, 8, 8}, {8, 8, 3, 3}},
     [](const Operands& x) { return conv2d(x[0], x[1], {}, 3); }},
    {"conv_transpose2d",
     {{2, 4, 5, 4}, {4, 3, 4, 4}, {3}},
     [](const Operands& x) { return conv_transpose2d(x[0], x[1], x[2], 2, 1); }},
    {"conv_transpose2d, groups and more",
     {{1, 4, 3, 3}, {4, 2, 3, 3}},
     [](const Operands& x) { return conv_transpose2d(x[0], x[1], {}, 3, 1, {2, 1}, 2, 2); }},
    {"max_pool2d",
     {{2, 3, 9, 8}},
     [](const Operands& x) { return max_pool2d(x[0], 3, 2, 1, {1, 2}, true); }},
    {"avg_pool2d",
     {{2, 3, 9, 8}},
     [](const Operands& x) { return avg_pool2d(x[0], 3, 2, 1, true, true); }},
    {"avg_pool2d, padding not counted",
     {{2, 3, 9, 8}},
     [](const Operands& x) { return avg_pool2d(x[0], {3, 2}, 2, 1, true, false); }},
    {"adaptive_avg_pool2d",
     {{2, 3, 7, 5}},
     [](const Operands& x) { return adaptive_avg_pool2d(x[0], {3, 6}); }},
    {"batch_norm",
     {{4, 3, 5, 2}, {3}, {3}},
     [](const Operands& x) { return batch_norm(x[0], x[1], x[2], {}, {}, true, 0.1, 1e-3); }},
    {"batch_norm, running statistics",
     {{4, 3}, {3}, {3}},
     [](const Operands& x) {
       const Tensor mean = full({3}, 0.5, x[0].options()), variance = full({3}, 2, x[0].options());
       return batch_norm(x[0], x[1], x[2], mean, variance, false, 0.1, 1e-3);
     }},
};

// The result and the gradient of each operand.
std::vector<std::vector<double>> run(const Case& c, const Operands& values, Device device,
                                     ScalarType type) {
  Operands operands;
  for (const Tensor& value : values)
    operands.push_back(value.detach().to(device, type).requires_grad_());
  const Tensor result = c.function(operands);
  manual_seed(2);
  const Tensor weights = rand(result.sizes(), kHalf);
  result.backward(weights.to(device, type));
  std::vector<std::vector<double>> numbers{elements(result)};
  for (const Tensor& operand : operands) numbers.push_back(elements(operand.grad()));
  return numbers;
}

TEST(WindowGradients, AreTheSameInEveryTypeAndOnEveryDevice) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    manual_seed(1);
    Operands values;
    for (const auto& shape : c.shapes) values.push_back(rand(shape, kHalf) - 0.4);
    const auto expected = run(c, values, kCPU, kDouble);
    for (const Device& device : devices()) {
      for (ScalarType type : kFloatingTypes) {
        SCOPED_TRACE(::testing::Message() << name_of(type) << " on " << device);
        const auto actual = run(c, values, device, type);
        for (size_t i = 0; i < expected.size(); ++i) {
          EXPECT_TRUE(near(actual[i], expected[i], 20 * tolerance(type))) << "operand " << i;
        }
      }
    }
  }
}

TEST(WindowGradients, OfABatchOfNothingAreZeros) {
  for (const Device& device : devices()) {
    const Tensor weight = ones({2, 3, 3, 3}, device).requires_grad_();
    const Tensor none = zeros({0, 3, 5, 5}, device).requires_grad_();
    conv2d(none, weight).sum().backward();
    EXPECT_TRUE(near(elements(weight.grad()), std::vector<double>(54, 0), 0));
    EXPECT_EQ(none.grad().sizes(), none.sizes());
  }
}

TEST(WindowGradients, AMaximumIsTheFirstOfEqualOnesAndNaNsAreMet) {
  for (const Device& device : devices()) {
    const Tensor x = zeros({1, 2, 2}, TensorOptions(device)).requires_grad_();
    max_pool2d(x, 2).sum().backward();
    EXPECT_TRUE(near(elements(x.grad()), {1, 0, 0, 0}, 0));
    const Tensor y = tensor({{1.0, 5.0}, {NAN, 2.0}}).view({1, 2, 2}).to(device).requires_grad_();
    const Tensor result = max_pool2d(y, 2);
    EXPECT_TRUE(std::isnan(result.item<float>()));
    result.sum().backward();
    EXPECT_TRUE(near(elements(y.grad()), {0, 0, 1, 0}, 0));
  }
}

TEST(ConvTranspose2d, SpreadsEachElementOverItsWindow) {
  for (const Device& device : devices()) {
    for (ScalarType type : kFloatingTypes) {
      const TensorOptions options = TensorOptions(device).dtype(type);
      const Tensor x = tensor({{1.0, 2.0}}).view({1, 1, 1, 2}).to(options);
      const Tensor weight = tensor({{1.0, 10.0, 100.0}}).view({1, 1, 1, 3}).to(options);
      const Tensor bias = full({1}, 0.5, options);
      EXPECT_TRUE(near(elements(conv_transpose2d(x, weight, bias, {1, 2})),
                       {1.5, 10.5, 102.5, 20.5, 200.5}, tolerance(type)));
      EXPECT_EQ(conv_transpose2d(x[0], weight, {}, {1, 2}, 0, {0, 1}).sizes(),
                std::vector<int64_t>({1, 1, 6}));
    }
  }
  const Tensor x = ones({1, 4, 2, 2});
  EXPECT_THROW((void)conv_transpose2d(x, ones({3, 2, 3, 3})), ShapeError);
  EXPECT_THROW((void)conv_transpose2d(x, ones({4, 2, 3, 3}), ones({3})), ShapeError);
  EXPECT_THROW((void)conv_transpose2d(x, ones({4, 2, 1, 1}), {}, 1, 1), ShapeError);
  EXPECT_THROW((void)conv_transpose2d(x, ones({4, 2, 3, 3}), {}, 2, 0, 2), ShapeError);
  EXPECT_THROW((void)conv_transpose2d(x, ones({4, 2, 3, 3}), {}, 1, 0, 0, 3), ShapeError);
  EXPECT_THROW((void)conv_transpose2d(x, ones({4, 2, 3, 3}, kDouble)), DTypeMismatchError);
}

}  // namespace
}  // namespace tensorlib::testing
