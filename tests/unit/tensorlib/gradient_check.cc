#include "unit/tensorlib/gradient_check.h"

namespace tensorlib::testing {

Tensor weighted_sum(const Tensor& result) {
  const Tensor weights = arange(result.numel(), result.options()).view(result.sizes());
  return (result * (weights * 0.37 + 0.5)).sum();
}

Function gradient_of(const Function& function) {
  return [function](const Operands& given) {
    const AutoGradMode recording(true);
    Operands x = given;
    if (!x[0].requires_grad()) x[0] = x[0].detach().requires_grad_();
    return autograd::grad({weighted_sum(function(x))}, {x[0]}, {}, std::nullopt, true)[0];
  };
}

namespace {

// The derivative of weighted_sum(function) with respect to each element of operand k.
std::vector<double> differences(const Function& function, Operands operands, size_t k) {
  constexpr double kStep = 1e-5;
  const std::vector<double> values = elements(operands[k]);
  const auto value_at = [&](size_t i, double shift) {
    std::vector<double> shifted = values;
    shifted[i] += shift;
    const Tensor moved = tensor(shifted, kDouble).view(operands[k].sizes());
    operands[k] = moved.to(operands[k].device());
    NoGradGuard no_grad;
    return weighted_sum(function(operands)).item<double>();
  };
  std::vector<double> result;
  for (size_t i = 0; i < values.size(); ++i) {
    result.push_back((value_at(i, kStep) - value_at(i, -kStep)) / (2 * kStep));
  }
  return result;
}

}  // namespace

void expect_gradient(const GradientCase& c) {
  for (const Device device : devices()) {
    SCOPED_TRACE(device.str());
    manual_seed(5);
    std::vector<Tensor> operands;
    for (const auto& shape : c.shapes) {
      Tensor operand = rand(shape, TensorOptions(device).dtype(kDouble)) * (c.high - c.low) + c.low;
      operands.push_back(operand);
    }
    for (const Tensor& operand : operands) operand.requires_grad_();
    weighted_sum(c.function(operands)).backward();
    for (size_t k = 0; k < operands.size(); ++k) {
      ASSERT_TRUE(operands[k].grad().defined()) << "operand " << k;
      EXPECT_EQ(operands[k].grad().device(), operands[k].device());
      ASSERT_EQ(operands[k].grad().sizes(), operands[k].sizes()) << "operand " << k;
      std::vector<Tensor> plain;
      for (const Tensor& operand : operands) plain.push_back(operand.detach());
      EXPECT_TRUE(near(elements(operands[k].grad()), differences(c.function, plain, k), 1e-6))
          << "operand " << k;
    }
  }
}

}  // namespace tensorlib::testing
