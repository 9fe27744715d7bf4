// Gradients against finite differences: a case is a function of tensors, run on every device.
#pragma once

#include <functional>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {

using Operands = std::vector<Tensor>;
using Function = std::function<Tensor(const Operands&)>;

struct GradientCase {
  const char* name;
  std::vector<std::vector<int64_t>> shapes;  // of the operands
  Function function;
  double low = -1, high = 1;  // the values of the operands
};
inline std::ostream& operator<<(std::ostream& out, const GradientCase& c) { return out << c.name; }
inline std::string name_of_case(const ::testing::TestParamInfo<GradientCase>& tested) {
  return tested.param.name;
}

// The sum of the elements, unequally weighted: a gradient that lands on the wrong element shows.
Tensor weighted_sum(const Tensor& result);

// The gradient of weighted_sum(function(operands)) with respect to the first operand, itself a
// function to differentiate.
Function gradient_of(const Function& function);

// Fails where the gradient of weighted_sum(function(operands)) is not the finite difference.
void expect_gradient(const GradientCase& c);

}  // namespace tensorlib::testing
