// Gradients of what autograd_test.cc has no case of its own for: the table's operations as methods,
// as functions and in place, and what is another operation under a second name.
// gradients_complete.py tells which operation of the headers has no case in either file.
#include "unit/tensorlib/gradient_check.h"

namespace tensorlib::testing {
namespace {

using Case = GradientCase;

// Where an operation is smooth: values that it is differentiated at.
std::pair<double, double> domain(const std::string& name) {
  if (name == "log" || name == "log1p" || name == "sqrt" || name == "rsqrt" || name == "log2" ||
      name == "log10" || name == "reciprocal" || name == "div" || name == "pow" ||
      name == "remainder") {
    return {0.5, 2};
  }
  if (name == "floor" || name == "ceil" || name == "round" || name == "trunc") return {0.1, 0.4};
  if (name == "asin" || name == "acos") return {-0.8, 0.8};
  return {-1, 1};
}

Case in_domain(const std::string& operation, Case c) {
  std::tie(c.low, c.high) = domain(operation);
  return c;
}

// Bits have no gradient.
bool is_of_bits(const std::string& name) { return name.rfind("bitwise_", 0) == 0; }

std::vector<Case> table() {
  std::vector<Case> cases;
#define TENSORLIB_UNARY_OP(op)                                                                  \
  cases.push_back(in_domain(#op, {#op, {{2, 3}}, [](const Operands& x) { return op(x[0]); }})); \
  cases.push_back(                                                                              \
      in_domain(#op, {#op "_", {{2, 3}}, [](const Operands& x) { return (x[0] * 1).op##_(); }}));
#define TENSORLIB_BINARY_OP(op)                                                                    \
  if (!is_of_bits(#op)) {                                                                          \
    cases.push_back(                                                                               \
        in_domain(#op, {#op, {{2, 3}, {3}}, [](const Operands& x) { return op(x[0], x[1]); }}));   \
    cases.push_back(in_domain(                                                                     \
        #op, {#op "_number", {{2, 3}}, [](const Operands& x) { return op(x[0], 0.7); }}));         \
    cases.push_back(in_domain(                                                                     \
        #op, {#op "_", {{2, 3}, {3}}, [](const Operands& x) { return (x[0] * 1).op##_(x[1]); }})); \
    cases.push_back(in_domain(#op, {#op "_number_", {{2, 3}}, [](const Operands& x) {              \
                                      return (x[0] * 1).op##_(0.7);                                \
                                    }}));                                                          \
  }
#include "tensorlib/op_names.def"
  return cases;
}

const Case kMore[] = {
    {"sub", {{2, 3}, {3}}, [](const Operands& x) { return x[0].sub(x[1], 1.5); }},
    {"sub_", {{2, 3}, {2, 1}}, [](const Operands& x) { return (x[0] * 2).sub_(x[1], 3); }},
    {"clamp_min", {{3, 3}}, [](const Operands& x) { return x[0].clamp_min(-0.2); }},
    {"clamp_max", {{3, 3}}, [](const Operands& x) { return x[0].clamp_max(0.3); }},
    {"transpose", {{2, 3, 2}}, [](const Operands& x) { return x[0].transpose(0, -1); }},
    {"flatten", {{2, 3, 2}}, [](const Operands& x) { return x[0].flatten(1); }},
    {"flatten_copies", {{2, 3}}, [](const Operands& x) { return x[0].t().flatten(); }},
    {"view_as", {{2, 3}, {3, 2}}, [](const Operands& x) { return x[0].view_as(x[1]) * x[1]; }},
    {"expand_as", {{3}, {2, 3}}, [](const Operands& x) { return x[0].expand_as(x[1]) * x[1]; }},
    {"split_with_sizes",
     {{5, 2}},
     [](const Operands& x) { return x[0].split_with_sizes({1, 4})[1]; }},
    {"dropout",
     {{4, 3}},
     [](const Operands& x) {
       manual_seed(3);
       return dropout(x[0], 0.4, true);
     }},
    {"dropout_not_in_training",
     {{4, 3}},
     [](const Operands& x) { return dropout(x[0], 0.4, false); }},
    {"feature_dropout",
     {{4, 3, 2}},
     [](const Operands& x) {
       manual_seed(3);
       return feature_dropout(x[0], 0.4, true);
     }},
    {"zero_",
     {{2, 3}},
     [](const Operands& x) {
       Tensor y = x[0] * 2;
       y.zero_();
       return y + x[0];
     }},
    {"masked_fill_of_tensor_",
     {{2, 3}, {}},
     [](const Operands& x) { return (x[0] * 1).masked_fill_(x[0].gt(0.2), x[1]); }},
    {"index_put_of_a_mask",
     {{2, 3}},
     [](const Operands& x) { return (x[0] * 1).index_put_({x[0].gt(0.2)}, 2); }},
    {"index_by_several",
     {{3, 2, 4}},
     [](const Operands& x) {
       return x[0].index({tensor({2, 0, 2}), indexing::Slice(), tensor({{3}, {1}})});
     }},
    {"index_put_of_places",
     {{3, 4}, {2, 1}},
     [](const Operands& x) {
       return (x[0] * 1).index_put_({indexing::Slice(), tensor({3, 0})}, x[1].view({2}));
     }},
    {"index_put_of_several",
     {{3, 2, 4}, {2, 3}},
     [](const Operands& x) {
       return (x[0] * 1).index_put_({tensor({2, 0, 2}), indexing::Slice(), tensor({0, 1, 3})},
                                    x[1].t());
     }},
    {"index_put_that_adds",
     {{3, 4}, {3, 4}},
     [](const Operands& x) { return index_put(x[0], {tensor({2, 0, 2})}, x[1] * x[1], true); }},
    {"roll", {{3, 4}}, [](const Operands& x) { return x[0].roll({1, -2}, {0, 1}); }},
    {"roll_flat", {{3, 4}}, [](const Operands& x) { return roll(x[0], 5); }},
    {"diag_of_a_matrix", {{3, 4}}, [](const Operands& x) { return x[0].diag(1); }},
    {"diag_of_a_vector", {{3}}, [](const Operands& x) { return diag(x[0], -1); }},
    {"prod", {{2, 3}}, [](const Operands& x) { return x[0].prod(); }},
    {"prod_dim", {{2, 5}}, [](const Operands& x) { return prod(x[0], 1, true); }},
    {"prod_with_zeros",
     {{3, 4}},
     [](const Operands& x) {
       const Tensor zeroed =
           tensor({{0.0, 1.0, 1.0, 1.0}, {0.0, 1.0, 0.0, 1.0}, {1.0, 1.0, 1.0, 0.0}}, kDouble);
       const Tensor kept = zeroed.to(x[0].device());
       // The operand without those of its elements: factors that are 0 and change all the same.
       manual_seed(5);
       const Tensor own = rand({3, 4}, x[0].options().requires_grad(false)) * 2 - 1;
       return (x[0] - own * (1 - kept)).prod(1);
     }},
    {"einsum",
     {{2, 3, 4}, {2, 4, 2}},
     [](const Operands& x) { return einsum("bij,bjk->ikb", {x[0], x[1]}); }},
    {"einsum_of_three",
     {{2, 3}, {3, 4}, {4}},
     [](const Operands& x) { return einsum("ij,jk,k", {x[0], x[1], x[2]}); }},
    {"einsum_of_a_diagonal",
     {{3, 2, 3}},
     [](const Operands& x) { return einsum("iji->j", {x[0]}); }},
    {"meshgrid",
     {{2}, {3}},
     [](const Operands& x) {
       const auto grid = meshgrid({x[0], x[1]}, "xy");
       return grid[0] * grid[1];
     }},
    {"kl_div",
     {{3, 4}, {3, 4}},
     [](const Operands& x) { return kl_div(x[0], x[1] + 1.5, Reduction::None); }},
    {"kl_div_of_logarithms",
     {{3, 4}, {3, 4}},
     [](const Operands& x) { return kl_div(x[0], x[1], Reduction::BatchMean, true); }},
    {"pin_memory", {{2, 3}}, [](const Operands& x) { return x[0].cpu().pin_memory() * 2; }},
    {"where_tensor_and_number",
     {{2, 3}},
     [](const Operands& x) { return where(x[0].gt(0), x[0], 2); }},
};

// Each case once more as the function that its gradient is: gradients have gradients. The factor
// gives steps one too.
template <class Cases>
std::vector<Case> gradients_of(const Cases& cases) {
  std::vector<Case> twice;
  for (Case c : cases) {
    c.function = gradient_of([function = c.function](const Operands& x) {
      const Tensor result = function(x);
      return result.square() * x[0].sum().to(result.device());
    });
    twice.push_back(std::move(c));
  }
  return twice;
}

class GradientOfAll : public ::testing::TestWithParam<Case> {};
TEST_P(GradientOfAll, IsTheFiniteDifference) { expect_gradient(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Table, GradientOfAll, ::testing::ValuesIn(table()), name_of_case);
INSTANTIATE_TEST_SUITE_P(More, GradientOfAll, ::testing::ValuesIn(kMore), name_of_case);
INSTANTIATE_TEST_SUITE_P(SecondOfTable, GradientOfAll, ::testing::ValuesIn(gradients_of(table())),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(SecondOfMore, GradientOfAll, ::testing::ValuesIn(gradients_of(kMore)),
                         name_of_case);

}  // namespace
}  // namespace tensorlib::testing
