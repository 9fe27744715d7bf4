// Gradients of every recorded operation against finite differences, on every device.
#include <cmath>

#include "unit/tensorlib/gradient_check.h"

namespace tensorlib::testing {
namespace {

using Case = GradientCase;
class Gradient : public ::testing::TestWithParam<Case> {};
TEST_P(Gradient, IsTheFiniteDifference) { expect_gradient(GetParam()); }

#define XFER_UNARY(op, ...)                                                   \
  Case {                                                                      \
    #op, {{2, 3}}, [](const Operands& x) { return x[0].op(); }, ##__VA_ARGS__ \
  }

INSTANTIATE_TEST_SUITE_P(
    Unary, Gradient,
    ::testing::Values(XFER_UNARY(abs), XFER_UNARY(neg), XFER_UNARY(sign), XFER_UNARY(square),
                      XFER_UNARY(relu), XFER_UNARY(exp), XFER_UNARY(log, 0.5, 2),
                      XFER_UNARY(log1p, 0.5, 2), XFER_UNARY(sqrt, 0.5, 2),
                      XFER_UNARY(rsqrt, 0.5, 2), XFER_UNARY(reciprocal, 0.5, 2), XFER_UNARY(sin),
                      XFER_UNARY(erf), XFER_UNARY(var), XFER_UNARY(std), XFER_UNARY(tril),
                      XFER_UNARY(triu), XFER_UNARY(cos), XFER_UNARY(tanh), XFER_UNARY(sigmoid),
                      XFER_UNARY(floor, 0.1, 0.9), XFER_UNARY(ceil, 0.1, 0.9),
                      XFER_UNARY(round, 0.1, 0.4), XFER_UNARY(clone), XFER_UNARY(t),
                      XFER_UNARY(sum), XFER_UNARY(mean), XFER_UNARY(max), XFER_UNARY(min)),
    name_of_case);

const Case kBinary[] = {
    {"add", {{2, 3}, {2, 3}}, [](const Operands& x) { return x[0] + x[1]; }},
    {"add_broadcast", {{2, 3}, {3}}, [](const Operands& x) { return x[0] + x[1]; }},
    {"add_alpha", {{2, 1}, {1, 3}}, [](const Operands& x) { return x[0].add(x[1], 2.5); }},
    {"sub", {{2, 3}, {2, 1}}, [](const Operands& x) { return x[0] - x[1]; }},
    {"mul", {{2, 3}, {3}}, [](const Operands& x) { return x[0] * x[1]; }},
    {"mul_itself", {{2, 3}}, [](const Operands& x) { return x[0] * x[0]; }},
    {"div", {{2, 3}, {3}}, [](const Operands& x) { return x[0] / x[1]; }, 0.5, 2},
    {"pow", {{2, 3}, {3}}, [](const Operands& x) { return x[0].pow(x[1]); }, 0.5, 2},
    {"pow_number", {{2, 3}}, [](const Operands& x) { return x[0].pow(3); }},
    {"number_minus", {{2, 3}}, [](const Operands& x) { return 2 - x[0]; }},
    {"number_over", {{2, 3}}, [](const Operands& x) { return 2 / x[0]; }, 0.5, 2},
    {"maximum", {{2, 3}, {2, 3}}, [](const Operands& x) { return maximum(x[0], x[1]); }},
    {"minimum", {{2, 3}, {3}}, [](const Operands& x) { return minimum(x[0], x[1]); }},
    {"remainder", {{2, 3}, {3}}, [](const Operands& x) { return x[0].remainder(x[1]); }, 0.5, 2},
    {"remainder_number", {{2, 3}}, [](const Operands& x) { return x[0].remainder(0.7); }},
    {"where", {{2, 3}, {3}}, [](const Operands& x) { return where(x[0].gt(0), x[0], x[1]); }},
    {"where_number", {{2, 3}}, [](const Operands& x) { return where(x[0].gt(0), 2, x[0]); }},
    {"masked_fill", {{2, 3}}, [](const Operands& x) { return x[0].masked_fill(x[0].gt(0.2), 2); }},
    {"masked_fill_tensor",
     {{2, 3}, {}},
     [](const Operands& x) { return x[0].masked_fill(x[0].gt(0.2), x[1]); }},
    {"masked_fill_",
     {{2, 3}},
     [](const Operands& x) { return (x[0] * 1).masked_fill_(x[0].gt(0.2), 2); }},
    {"clamp_", {{3, 3}}, [](const Operands& x) { return (x[0] * 1).clamp_(-0.5, 0.4); }},
    {"gelu", {{2, 3}}, [](const Operands& x) { return gelu(x[0]); }},
    {"silu", {{2, 3}}, [](const Operands& x) { return silu(x[0]); }},
    {"cumsum", {{2, 3, 2}}, [](const Operands& x) { return x[0].cumsum(1); }},
    {"sort", {{2, 5}}, [](const Operands& x) { return std::get<0>(x[0].sort(1, true)); }},
    {"var_dims", {{2, 3, 2}}, [](const Operands& x) { return x[0].var({0, 2}, false, true); }},
    {"clamp", {{3, 3}}, [](const Operands& x) { return x[0].clamp(-0.5, 0.4); }},
};
INSTANTIATE_TEST_SUITE_P(Binary, Gradient, ::testing::ValuesIn(kBinary), name_of_case);

const Case kShapes[] = {
    {"view", {{2, 3}}, [](const Operands& x) { return x[0].view({3, 2}); }},
    {"reshape_copies", {{2, 3}}, [](const Operands& x) { return x[0].t().reshape({6}); }},
    {"permute", {{2, 3, 4}}, [](const Operands& x) { return x[0].permute({2, 0, 1}); }},
    {"contiguous", {{2, 3}}, [](const Operands& x) { return x[0].t().contiguous(); }},
    {"slice", {{5, 2}}, [](const Operands& x) { return x[0].slice(0, 1, 5, 2); }},
    {"narrow", {{2, 5}}, [](const Operands& x) { return x[0].narrow(1, 2, 2); }},
    {"select", {{2, 3, 2}}, [](const Operands& x) { return x[0].select(1, 2); }},
    {"index", {{4}}, [](const Operands& x) { return x[0][1] * x[0][3]; }},
    {"squeeze", {{2, 1, 3}}, [](const Operands& x) { return x[0].squeeze(1); }},
    {"unsqueeze", {{2, 3}}, [](const Operands& x) { return x[0].unsqueeze(1); }},
    {"expand", {{2, 1}}, [](const Operands& x) { return x[0].expand({4, 2, 3}); }},
    {"cat", {{2, 2}, {2, 3}}, [](const Operands& x) { return cat({x[0], x[1]}, 1); }},
    {"stack", {{2, 2}, {2, 2}}, [](const Operands& x) { return stack({x[0], x[1]}, 1); }},
    {"gather",
     {{3, 4}},
     [](const Operands& x) { return x[0].gather(1, tensor({{0, 3}, {1, 1}}).to(x[0].device())); }},
    {"split",
     {{5, 2}},
     [](const Operands& x) {
       const auto parts = x[0].split(2);
       return parts[0] * parts[1] + parts[2];
     }},
    {"chunk", {{2, 4}}, [](const Operands& x) { return x[0].chunk(2, 1)[1]; }},
    {"unbind", {{3, 2}}, [](const Operands& x) { return x[0].unbind()[2]; }},
    {"index_slices",
     {{3, 4, 2}},
     [](const Operands& x) {
       return x[0].index({indexing::Slice(1), indexing::None, -1, indexing::Ellipsis});
     }},
    {"index_tensor",
     {{3, 4}},
     [](const Operands& x) {
       return x[0].index({indexing::Slice(), tensor({{1, -1}, {1, 0}}).to(x[0].device())});
     }},
    {"index_mask",
     {{3, 2}},
     [](const Operands& x) { return x[0].index({tensor({true, false, true}).to(x[0].device())}); }},
    {"index_select",
     {{3, 4}},
     [](const Operands& x) { return x[0].index_select(1, tensor({3, 0, 3}).to(x[0].device())); }},
    {"embedding",
     {{4, 2}},
     [](const Operands& x) { return embedding(x[0], tensor({{3, 0}, {3, 1}}).to(x[0].device())); }},
    {"masked_select",
     {{3, 2}},
     [](const Operands& x) { return x[0].masked_select(x[0].detach().gt(0)); }},
    {"scatter",
     {{3, 2}},
     [](const Operands& x) {
       return x[0].scatter(1, tensor({{1}, {0}}).to(x[0].device()), 3).square();
     }},
    {"scatter_",
     {{3, 2}},
     [](const Operands& x) {
       return (x[0] * 2).scatter_(0, tensor({{1, 1}}).to(x[0].device()), 3).square();
     }},
    {"repeat", {{2, 3}}, [](const Operands& x) { return x[0].repeat({2, 1, 3}); }},
    {"flip", {{2, 3}}, [](const Operands& x) { return x[0].flip({0, 1}); }},
    {"concat", {{2, 3}, {1, 3}}, [](const Operands& x) { return concat({x[0], x[1]}); }},
    {"to_float32_and_back", {{2, 3}}, [](const Operands& x) { return x[0].to(kDouble) * 2; }},
    {"to_the_host", {{2, 3}}, [](const Operands& x) { return x[0].cpu() * 2; }},
};
INSTANTIATE_TEST_SUITE_P(Shapes, Gradient, ::testing::ValuesIn(kShapes), name_of_case);

const Case kReductions[] = {
    {"sum_dim", {{2, 3, 4}}, [](const Operands& x) { return x[0].sum({0, 2}); }},
    {"sum_keepdim", {{2, 3}}, [](const Operands& x) { return x[0].sum(1, true); }},
    {"mean_dim", {{2, 3}}, [](const Operands& x) { return x[0].mean(0); }},
    {"amax", {{2, 3}}, [](const Operands& x) { return x[0].amax(1); }},
    {"amin_all_but_one", {{2, 3, 2}}, [](const Operands& x) { return x[0].amin({0, 2}); }},
    {"max_dim", {{2, 3}}, [](const Operands& x) { return std::get<0>(x[0].max(1)); }},
    {"min_keepdim", {{3, 2}}, [](const Operands& x) { return std::get<0>(x[0].min(0, true)); }},
    {"topk", {{3, 4}}, [](const Operands& x) { return std::get<0>(x[0].topk(2)); }},
    {"topk_smallest_outer",
     {{4, 2}},
     [](const Operands& x) { return std::get<0>(x[0].topk(3, 0, false)); }},
    {"softmax", {{2, 3}}, [](const Operands& x) { return x[0].softmax(1); }},
    {"softmax_inner", {{2, 3, 2}}, [](const Operands& x) { return x[0].softmax(1); }},
    {"logsumexp", {{2, 3}}, [](const Operands& x) { return x[0].logsumexp(1); }},
    {"logsumexp_keepdim", {{2, 3}}, [](const Operands& x) { return x[0].logsumexp({0, 1}, true); }},
    {"pow_of_a_number", {{2, 3}}, [](const Operands& x) { return pow(2.5, x[0]); }},
    {"log_softmax", {{2, 3}}, [](const Operands& x) { return x[0].log_softmax(1); }},
};
INSTANTIATE_TEST_SUITE_P(Reductions, Gradient, ::testing::ValuesIn(kReductions), name_of_case);

const Case kProducts[] = {
    {"mm", {{2, 3}, {3, 4}}, [](const Operands& x) { return x[0].mm(x[1]); }},
    {"mm_transposed", {{3, 2}, {4, 3}}, [](const Operands& x) { return x[0].t().mm(x[1].t()); }},
    {"bmm", {{2, 2, 3}, {2, 3, 2}}, [](const Operands& x) { return x[0].bmm(x[1]); }},
    {"mv", {{2, 3}, {3}}, [](const Operands& x) { return x[0].mv(x[1]); }},
    {"dot", {{3}, {3}}, [](const Operands& x) { return x[0].dot(x[1]); }},
    {"outer", {{3}, {2}}, [](const Operands& x) { return x[0].outer(x[1]); }},
    {"matmul_vectors", {{3}, {3}}, [](const Operands& x) { return x[0].matmul(x[1]); }},
    {"matmul_matrix_vector", {{2, 3}, {3}}, [](const Operands& x) { return x[0].matmul(x[1]); }},
    {"matmul_broadcast", {{2, 2, 3}, {3, 2}}, [](const Operands& x) { return x[0].matmul(x[1]); }},
    {"matmul_batches",
     {{2, 1, 2, 3}, {2, 3, 2}},
     [](const Operands& x) { return x[0].matmul(x[1]); }},
    {"addmm",
     {{2}, {3, 4}, {4, 2}},
     [](const Operands& x) { return x[0].addmm(x[1], x[2], 0.5, 2); }},
    {"linear", {{2, 3}, {4, 3}, {4}}, [](const Operands& x) { return linear(x[0], x[1], x[2]); }},
    {"linear_no_bias", {{2, 2, 3}, {4, 3}}, [](const Operands& x) { return linear(x[0], x[1]); }},
    {"conv1d",
     {{2, 2, 7}, {4, 2, 3}, {4}},
     [](const Operands& x) { return conv1d(x[0], x[1], x[2], 2, 1); }},
    {"conv1d_groups_dilation_one_row",
     {{4, 8}, {4, 2, 2}},
     [](const Operands& x) { return conv1d(x[0], x[1], {}, 1, 0, 3, 2); }},
    {"layer_norm",
     {{3, 2, 2}, {2, 2}, {2, 2}},
     [](const Operands& x) { return layer_norm(x[0], {2, 2}, x[1], x[2]); }},
    {"layer_norm_plain", {{2, 5}}, [](const Operands& x) { return layer_norm(x[0], 5); }},
    {"conv2d",
     {{2, 2, 5, 4}, {4, 2, 3, 2}, {4}},
     [](const Operands& x) { return conv2d(x[0], x[1], x[2], 1, 1); }},
    {"conv2d_stride_dilation_groups",
     {{1, 4, 7, 6}, {6, 2, 2, 3}},
     [](const Operands& x) { return conv2d(x[0], x[1], {}, {2, 1}, {1, 2}, {2, 1}, 2); }},
    {"conv2d_one_image",
     {{2, 4, 4}, {1, 2, 2, 2}},
     [](const Operands& x) { return conv2d(x[0], x[1]); }},
    {"conv_transpose2d",
     {{2, 4, 3, 4}, {4, 3, 3, 2}, {3}},
     [](const Operands& x) {
       return conv_transpose2d(x[0], x[1], x[2], {2, 1}, {1, 0}, {1, 0}, 1, {1, 2});
     }},
    {"conv_transpose2d_groups",
     {{1, 4, 3, 3}, {4, 2, 2, 2}},
     [](const Operands& x) { return conv_transpose2d(x[0], x[1], {}, 2, 0, 0, 2); }},
    {"max_pool2d", {{2, 2, 4, 6}}, [](const Operands& x) { return max_pool2d(x[0], 2); }},
    {"max_pool2d_overlapping",
     {{1, 2, 5, 5}},
     [](const Operands& x) { return max_pool2d(x[0], 3, 2, 1, 1, true); }},
    {"avg_pool2d", {{2, 1, 4, 6}}, [](const Operands& x) { return avg_pool2d(x[0], 2); }},
    {"avg_pool2d_padded",
     {{1, 1, 5, 5}},
     [](const Operands& x) { return avg_pool2d(x[0], 3, 2, 1, false, false); }},
    {"avg_pool2d_ceil",
     {{1, 1, 5, 4}},
     [](const Operands& x) { return avg_pool2d(x[0], {2, 3}, 2, {1, 0}, true); }},
    {"adaptive_avg_pool2d",
     {{2, 2, 5, 7}},
     [](const Operands& x) { return adaptive_avg_pool2d(x[0], {2, 3}); }},
    {"batch_norm",
     {{3, 2, 2, 2}, {2}, {2}},
     [](const Operands& x) { return batch_norm(x[0], x[1], x[2], {}, {}, true, 0.1, 1e-5); }},
    {"batch_norm_eval",
     {{3, 2}, {2}, {2}},
     [](const Operands& x) {
       const Tensor mean = full({2}, 0.3, x[0].options()), variance = full({2}, 2, x[0].options());
       return batch_norm(x[0], x[1], x[2], mean, variance, false, 0.1, 1e-5);
     }},
    {"nll_loss",
     {{3, 4}},
     [](const Operands& x) {
       return nll_loss(x[0].log_softmax(1), tensor({2, 0, 3}).to(x[0].device()));
     }},
    {"mse_loss", {{3, 2}, {3, 2}}, [](const Operands& x) { return mse_loss(x[0], x[1]); }},
};

const Case kLosses[] = {
    {"l1_loss", {{3, 2}, {3, 2}}, [](const Operands& x) { return l1_loss(x[0], x[1]); }},
    {"smooth_l1_loss",
     {{3, 4}, {3, 4}},
     [](const Operands& x) { return smooth_l1_loss(x[0], x[1], kMean, 0.4); }},
    {"huber_loss",
     {{3, 4}, {3, 4}},
     [](const Operands& x) { return huber_loss(x[0], x[1], kSum, 0.4); }},
    {"binary_cross_entropy",
     {{3, 4}, {3, 4}},
     [](const Operands& x) { return binary_cross_entropy(x[0], x[1]); },
     0.1,
     0.9},
    {"binary_cross_entropy_weighted",
     {{3, 4}, {3, 4}},
     [](const Operands& x) { return binary_cross_entropy(x[0], x[1], x[1] * 2, kNone); },
     0.1,
     0.9},
    {"binary_cross_entropy_with_logits",
     {{3, 4}},
     [](const Operands& x) {
       const Tensor target = full({3, 4}, 0.3, x[0].options());
       return binary_cross_entropy_with_logits(x[0], target, {}, target * 5);
     }},
    {"nll_loss_weighted_and_ignored",
     {{4, 3}},
     [](const Operands& x) {
       const Tensor weight = tensor({1.0, 2.0, 0.5}, kDouble).to(x[0].device());
       return nll_loss(x[0].log_softmax(1), tensor({2, -100, 0, 1}).to(x[0].device()), weight);
     }},
    {"cross_entropy_smoothed",
     {{3, 4}},
     [](const Operands& x) {
       return cross_entropy_loss(x[0], tensor({2, 0, 3}).to(x[0].device()), {}, kMean, -100, 0.2);
     }},
    {"cross_entropy_smoothed_weighted_and_ignored",
     {{3, 4}},
     [](const Operands& x) {
       const Tensor weight = tensor({1.0, 2.0, 0.5, 3.0}, kDouble).to(x[0].device());
       return cross_entropy_loss(x[0], tensor({2, -100, 3}).to(x[0].device()), weight, kMean, -100,
                                 0.2);
     }},
    {"leaky_relu", {{3, 4}}, [](const Operands& x) { return leaky_relu(x[0], 0.2); }},
    {"norm", {{3, 4}}, [](const Operands& x) { return x[0].norm(); }},
    {"norm_1_dim", {{3, 4}}, [](const Operands& x) { return x[0].norm(1, 1); }},
    {"norm_3_dim_keepdim", {{3, 4}}, [](const Operands& x) { return x[0].norm(3, 0, true); }},
};
INSTANTIATE_TEST_SUITE_P(Losses, Gradient, ::testing::ValuesIn(kLosses), name_of_case);

const Case kSecond[] = {
    {"conv2d", {{1, 2, 4, 4}, {2, 2, 3, 3}}, gradient_of([](const Operands& x) {
       return conv2d(x[0], x[1], {}, 1, 1).square();
     })},
    {"conv_transpose2d", {{1, 2, 3, 3}, {2, 2, 2, 2}}, gradient_of([](const Operands& x) {
       return conv_transpose2d(x[0], x[1], {}, 2).square();
     })},
    {"max_pool2d", {{1, 2, 4, 4}}, gradient_of([](const Operands& x) {
       return max_pool2d(x[0], 2).square();
     })},
    {"avg_pool2d", {{1, 2, 5, 5}}, gradient_of([](const Operands& x) {
       return avg_pool2d(x[0], 3, 2, 1).square();
     })},
    {"adaptive_avg_pool2d", {{1, 1, 5, 5}}, gradient_of([](const Operands& x) {
       return adaptive_avg_pool2d(x[0], 2).square();
     })},
    {"batch_norm", {{4, 2, 2, 2}, {2}, {2}}, gradient_of([](const Operands& x) {
       return batch_norm(x[0], x[1], x[2], {}, {}, true, 0.1, 1e-2).square();
     })},
    {"conv1d", {{1, 2, 5}, {2, 2, 3}}, gradient_of([](const Operands& x) {
       return conv1d(x[0], x[1]).square();
     })},
    {"layer_norm", {{3, 4}, {4}}, gradient_of([](const Operands& x) {
       return layer_norm(x[0], 4, x[1]).square();
     })},
    {"embedding", {{4, 2}}, gradient_of([](const Operands& x) {
       return embedding(x[0], tensor({3, 0, 3}).to(x[0].device())).square();
     })},
    {"topk", {{3, 4}}, gradient_of([](const Operands& x) {
       return std::get<0>(x[0].topk(2)).square();
     })},
    {"leaky_relu", {{3, 4}}, gradient_of([](const Operands& x) {
       return leaky_relu(x[0].square() - 0.3, 0.2);
     })},
    {"sigmoid", {{3, 4}}, gradient_of([](const Operands& x) { return x[0].sigmoid(); })},
    {"tanh", {{3, 4}}, gradient_of([](const Operands& x) { return x[0].tanh(); })},
    {"norm", {{3, 4}}, gradient_of([](const Operands& x) { return x[0].norm(2, 1); })},
    {"gather", {{3, 4}}, gradient_of([](const Operands& x) {
       return x[0].gather(1, tensor({{0, 3}, {1, 1}}).to(x[0].device())).square();
     })},
    {"binary_cross_entropy",
     {{3, 4}, {3, 4}},
     gradient_of([](const Operands& x) { return binary_cross_entropy(x[0], x[1]); }),
     0.1,
     0.9},
};
INSTANTIATE_TEST_SUITE_P(Second, Gradient, ::testing::ValuesIn(kSecond), name_of_case);
INSTANTIATE_TEST_SUITE_P(Products, Gradient, ::testing::ValuesIn(kProducts), name_of_case);

const Case kInPlace[] = {
    {"add_", {{2, 3}, {3}}, [](const Operands& x) { return (x[0] * 2).add_(x[1], 3); }},
    {"mul_", {{2, 3}, {2, 3}}, [](const Operands& x) { return x[0].clone().mul_(x[1]); }},
    {"relu_", {{2, 3}}, [](const Operands& x) { return (x[0] * 2).relu_(); }},
    {"operator",
     {{2, 3}, {3}},
     [](const Operands& x) {
       Tensor sum = zeros_like(x[0]);
       for (int i = 0; i < 3; ++i) sum += x[0] * x[1];
       return sum;
     }},
    {"copy_",
     {{2, 3}, {3}},
     [](const Operands& x) {
       Tensor y = x[0] * 2;
       y.copy_(x[1]);
       return y + x[0];
     }},
    {"fill_",
     {{2, 3}, {2, 3}},
     [](const Operands& x) { return (x[0] * x[1]).fill_(2) + x[0] * 3 + x[1]; }},
};
INSTANTIATE_TEST_SUITE_P(InPlace, Gradient, ::testing::ValuesIn(kInPlace), name_of_case);

Tensor leaf(const detail::TensorData& data) { return tensor(data, requires_grad()); }

TEST(Autograd, GradientsAddUpUntilTheyAreDropped) {
  const Tensor x = leaf({1.0, 2.0});
  x.square().sum().backward();
  x.square().sum().backward();
  EXPECT_TRUE(near(elements(x.grad()), {4, 8}, 0));
  x.mutable_grad() = Tensor();
  x.sum().backward();
  EXPECT_TRUE(near(elements(x.grad()), {1, 1}, 0));
}

TEST(Autograd, TheSameGradientOfTwoLeavesIsNotOneTensor) {
  const Tensor a = leaf({1.0}), b = leaf({2.0});
  (a + b).backward();
  (a + b).backward();
  EXPECT_TRUE(near(elements(a.grad()), {2}, 0));
  EXPECT_TRUE(near(elements(b.grad()), {2}, 0));
}

TEST(Autograd, NothingIsRecordedWithoutNeed) {
  const Tensor x = leaf({1.0}), constant = tensor({2.0});
  EXPECT_FALSE((constant * 2).requires_grad());
  EXPECT_TRUE((constant * x).requires_grad());
  EXPECT_FALSE(x.detach().requires_grad());
  EXPECT_FALSE(x.gt(0).requires_grad());
  const NoGradGuard no_grad;
  EXPECT_FALSE((constant * x).requires_grad());
  EXPECT_TRUE(x.requires_grad());
}

TEST(Autograd, GradOfAResultAndHigherOrders) {
  const Tensor x = leaf({3.0});
  const Tensor y = x * x * x;
  const Tensor first = autograd::grad({y}, {x}, {}, std::nullopt, true)[0];
  EXPECT_EQ(first.item<double>(), 27);
  const Tensor second = autograd::grad({first}, {x}, {}, std::nullopt, true)[0];
  EXPECT_EQ(second.item<double>(), 18);
  second.backward();
  EXPECT_EQ(x.grad().item<double>(), 6);
}

TEST(Autograd, HigherOrdersThroughKeptResults) {
  const Tensor x = leaf({0.5});
  const Tensor first = autograd::grad({x.exp().sigmoid()}, {x}, {}, std::nullopt, true)[0];
  const double second = autograd::grad({first}, {x})[0].item<double>();
  const auto slope = [](double at) {
    const double e = std::exp(at), s = 1 / (1 + std::exp(-e));
    return s * (1 - s) * e;
  };
  EXPECT_NEAR(second, (slope(0.5 + 1e-5) - slope(0.5 - 1e-5)) / 2e-5, 1e-5);
}

TEST(Autograd, GradOfAMiddleValueLeavesTheLeavesAlone) {
  const Tensor x = leaf({2.0});
  const Tensor middle = x * 3;
  const auto grads = autograd::grad({middle.square()}, {middle, x});
  EXPECT_EQ(grads[0].item<double>(), 12);
  EXPECT_EQ(grads[1].item<double>(), 36);
  EXPECT_FALSE(x.grad().defined());
}

TEST(Autograd, HooksSeeAndChangeGradients) {
  const Tensor x = leaf({2.0});
  const Tensor middle = x * 3;
  double seen = 0;
  middle.register_hook([&](const Tensor& grad) { seen = grad.item<double>(); });
  middle.register_hook([](const Tensor& grad) { return grad * 10; });
  middle.retain_grad();
  (middle * 2).backward();
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(middle.grad().item<double>(), 20);
  EXPECT_EQ(x.grad().item<double>(), 60);
}

TEST(Autograd, AHookThatIsRemovedIsNotCalled) {
  const Tensor x = leaf({2.0});
  const Tensor middle = x * 3;
  for (const Tensor& tensor : {x, middle}) {
    const unsigned times_ten = tensor.register_hook([](const Tensor& grad) { return grad * 10; });
    tensor.register_hook([](const Tensor& grad) { return grad + 1; });
    tensor.remove_hook(times_ten);
    EXPECT_THROW(tensor.remove_hook(7), Error);
  }
  middle.backward();
  EXPECT_EQ(x.grad().item<double>(), 7);  // (1 + 1) * 3 + 1
}

TEST(Autograd, ALongChainNeitherOverflowsTheStackNorLeaks) {
  const Tensor x = leaf({1.0});
  Tensor y = x;
  for (int i = 0; i < 100000; ++i) y = y + 1;
  y.backward();
  EXPECT_EQ(x.grad().item<double>(), 1);
  Tensor unused = x;
  for (int i = 0; i < 100000; ++i) unused = unused + 1;
}

TEST(Autograd, GradientsReachTheTensorThatWasMoved) {
  TENSORLIB_REQUIRE_CUDA();
  const Tensor x = leaf({1.0, 2.0});
  const Tensor moved = x.to(kCUDA);
  EXPECT_FALSE(moved.is_leaf());
  moved.square().sum().backward();
  EXPECT_FALSE(moved.grad().defined());
  EXPECT_TRUE(x.grad().is_cpu());
  EXPECT_TRUE(near(elements(x.grad()), {2, 4}, 0));
}

TEST(AutogradErrors, SayWhatToDo) {
  const Tensor x = leaf({1.0, 2.0});
  EXPECT_NE(error_of([&] { (x * 2).backward(); }).find("reduce it first"), std::string::npos);
  EXPECT_NE(error_of([] { tensor({1.0}).backward(); }).find("requires_grad_()"), std::string::npos);
  EXPECT_NE(error_of([&] { x.add_(1); }).find("NoGradGuard"), std::string::npos);
  EXPECT_NE(error_of([&] { x.fill_(1); }).find("NoGradGuard"), std::string::npos);
  EXPECT_NE(error_of([] { tensor({1}).requires_grad_(); }).find("int64"), std::string::npos);
  const Tensor twice = x.square().sum();
  twice.backward();
  EXPECT_NE(error_of([&] { twice.backward(); }).find("retain_graph=true"), std::string::npos);
  Tensor changed = x * 1;
  const Tensor loss = changed.square().sum();
  {
    NoGradGuard no_grad;
    changed.add_(1);
  }
  EXPECT_NE(error_of([&] { loss.backward(); }).find("changed in place"), std::string::npos);
  const Tensor rows = zeros({2, 2});
  EXPECT_NE(error_of([&] { rows[0].add_(x); }).find("a view cannot be changed"), std::string::npos);
  const Tensor base = zeros({2});
  const Tensor old_view = base.view({1, 2});
  base.add_(x);
  EXPECT_NE(error_of([&] { static_cast<void>((old_view * x).sum()); }).find("take the view after"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              static_cast<void>(autograd::grad({x.sum()}, {leaf({1.0})}));
            }).find("allow_unused"),
            std::string::npos);
}

}  // namespace
}  // namespace tensorlib::testing
