// Gradients of the operations that are made of others, of first and second order; see
// gradient_table_test.cc.
#include "unit/tensorlib/gradient_check.h"

namespace tensorlib::testing {
namespace {

using Case = GradientCase;
using X = const Operands&;

Tensor places_of(X x, std::vector<int64_t> at) { return tensor(at).to(x[0].device()); }

const Case kCases[] = {
    {"clamp_by_tensors", {{3, 3}, {3}}, [](X x) { return x[0].clamp(x[1] - 0.4, x[1] + 0.5); }},
    {"max_of_two", {{3, 3}, {3}}, [](X x) { return max(x[0], x[1]) * x[0].min(x[1]); }},
    {"clamp_min_", {{3}}, [](X x) { return (x[0] * 1).clamp_min_(-0.3).clamp_max_(0.4); }},
    {"clip", {{3, 3}}, [](X x) { return clip(x[0], -0.2, 0.3); }},
    {"addcmul", {{2, 3}, {2, 3}, {3}}, [](X x) { return addcmul(x[0], x[1], x[2], 2); }},
    {"addcmul_",
     {{2, 3}, {2, 3}, {3}},
     [](X x) { return (x[0] * 1).addcmul_(x[1], x[2]).addcdiv_(x[1], x[2] + 3); }},
    {"addcdiv", {{2, 3}, {2, 3}, {3}}, [](X x) { return addcdiv(x[0], x[1], x[2] + 2, 0.5); }},
    {"lerp", {{2, 3}, {2, 3}, {3}}, [](X x) { return lerp(x[0], x[1], x[2] / 4 + 0.2); }},
    {"lerp_number", {{3}, {3}}, [](X x) { return x[0].lerp(x[1], 0.25) * lerp(x[0], x[1], 0.8); }},
    {"nan_to_num", {{3}}, [](X x) { return nan_to_num(x[0]); }},
    {"median", {{5}}, [](X x) { return x[0].median() * std::get<0>(median(x[0] * x[0], 0)); }},
    {"cumprod", {{2, 5}}, [](X x) { return cumprod(x[0], 1); }},
    {"toType", {{3}}, [](X x) { return x[0].toType(kDouble).type_as(x[0]) * x[0]; }},
    {"squeeze_", {{2, 1, 3}}, [](X x) { return (x[0] * 1).squeeze_().transpose_(0, 1) * 2; }},
    {"unsqueeze_", {{2, 3}}, [](X x) { return (x[0] * 1).t_().unsqueeze_(0) * x[0].t(); }},
    {"diagonal", {{2, 3, 4}}, [](X x) { return diagonal(x[0], 1, 1, -1); }},
    {"movedim", {{2, 3, 4}}, [](X x) { return movedim(x[0], 0, -1) * swapaxes(x[0], 0, 1).sum(); }},
    {"trace", {{3, 4}}, [](X x) { return x[0].trace() * (x[0] * 1).fill_diagonal_(2); }},
    {"index_add",
     {{4, 3}, {2, 3}},
     [](X x) { return index_add(x[0], 0, places_of(x, {3, 3}), x[1], 0.5); }},
    {"index_add_",
     {{4, 3}, {4, 2}},
     [](X x) { return (x[0] * 1).index_add_(1, places_of(x, {2, 0}), x[1] * x[1]); }},
    {"index_copy",
     {{4, 3}, {2, 3}},
     [](X x) { return index_copy(x[0], 0, places_of(x, {3, 1}), x[1]); }},
    {"index_copy_",
     {{4, 3}, {2, 3}},
     [](X x) { return (x[0] * 1).index_copy_(0, places_of(x, {3, 1}), x[1] * x[1]); }},
    {"index_fill",
     {{4, 3}},
     [](X x) {
       return index_fill(x[0], 0, places_of(x, {3}), 2) *
              (x[0] * 1).index_fill_(1, places_of(x, {0}), 2);
     }},
    {"scatter_numbers",
     {{3, 4}, {2, 3}},
     [](X x) { return scatter(x[0], 0, places_of(x, {0, 1, 2, 2, 0, 1}).view({2, 3}), x[1]); }},
    {"scatter_add",
     {{3, 4}, {2, 3}},
     [](X x) {
       const Tensor at = places_of(x, {0, 1, 2, 2, 1, 2}).view({2, 3});
       return scatter_add(x[0], 0, at, x[1]) * (x[0] * 1).scatter_add_(1, at, x[1] * x[1]);
     }},
    {"take", {{3, 4}}, [](X x) { return take(x[0], places_of(x, {5, -1, 5})); }},
    {"repeat_interleave",
     {{3, 2}},
     [](X x) { return repeat_interleave(x[0], 2) * x[0].repeat_interleave(2, 0).view({12}); }},
    {"repeat_interleave_by_tensor",
     {{3, 2}},
     [](X x) { return repeat_interleave(x[0], places_of(x, {2, 0, 1}), 0); }},
    {"unfold", {{2, 6}}, [](X x) { return x[0].unfold(1, 3, 2); }},
    {"elu", {{3, 4}}, [](X x) { return elu(x[0], 0.7, 1.2, 0.9); }},
    {"selu", {{3, 4}}, [](X x) { return selu(x[0]); }},
    {"softplus", {{3, 4}}, [](X x) { return softplus(x[0], 2, 1.2); }, -0.5, 0.5},
    {"hardtanh", {{3, 4}}, [](X x) { return hardtanh(x[0], -0.4, 0.5) * relu6(x[0]); }},
    {"prelu", {{2, 3, 2}, {3}}, [](X x) { return prelu(x[0], x[1]); }},
    {"log_sigmoid", {{3, 4}}, [](X x) { return log_sigmoid(x[0] * 3); }},
    {"mish", {{3, 4}}, [](X x) { return mish(x[0]); }},
    {"glu", {{3, 4}}, [](X x) { return glu(x[0]); }},
    {"gelu_tanh", {{3, 4}}, [](X x) { return gelu(x[0], "tanh"); }},
    {"group_norm", {{2, 4, 3}, {4}, {4}}, [](X x) { return group_norm(x[0], 2, x[1], x[2]); }},
    {"instance_norm",
     {{2, 2, 4}, {2}, {2}},
     [](X x) { return instance_norm(x[0], x[1], x[2], {}, {}, true, 0.1, 1e-5); }},
    {"local_response_norm", {{2, 4, 3}}, [](X x) { return local_response_norm(x[0], 3, 0.5); }},
    {"cosine_similarity", {{3, 4}, {3, 4}}, [](X x) { return cosine_similarity(x[0], x[1]); }},
    {"cdist", {{3, 4}, {2, 4}}, [](X x) { return cdist(x[0], x[1] + 3); }},
    {"pairwise_distance", {{3, 4}, {3, 4}}, [](X x) { return pairwise_distance(x[0], x[1] + 3); }},
    {"max_pool1d", {{2, 2, 7}}, [](X x) { return max_pool1d(x[0], 3, 2, 1); }},
    {"avg_pool1d", {{2, 2, 7}}, [](X x) { return avg_pool1d(x[0], 3, 2, 1); }},
    {"adaptive_avg_pool1d", {{2, 2, 7}}, [](X x) { return adaptive_avg_pool1d(x[0], 3); }},
    {"adaptive_max_pool2d",
     {{1, 2, 5, 4}},
     [](X x) { return std::get<0>(adaptive_max_pool2d(x[0], {3, 2})); }},
    {"pixel_shuffle", {{2, 4, 2, 3}}, [](X x) { return pixel_shuffle(x[0], 2); }},
    {"broadcast_tensors",
     {{2, 1}, {3}},
     [](X x) {
       const auto both = broadcast_tensors({x[0], x[1]});
       return both[0] * both[1];
     }},
    {"vstack",
     {{3}, {2, 3}},
     [](X x) { return vstack({x[0], x[1]}) * hstack({x[0], x[0]}).sum(); }},
    {"cross", {{2, 3}, {2, 3}}, [](X x) { return cross(x[0], x[1]); }},
    {"bincount", {{3}}, [](X x) { return bincount(places_of(x, {2, 0, 2}), x[0]); }},
    {"pad", {{2, 3, 4}}, [](X x) { return pad(x[0], {1, -2, 2, 0}, kConstant, 3); }},
    {"constant_pad_nd", {{2, 3}}, [](X x) { return constant_pad_nd(x[0], {0, 1}); }},
    {"reflection_pad",
     {{2, 3, 4}},
     [](X x) {
       return reflection_pad2d(x[0], {1, 3, 2, 1}).sum(1) * reflection_pad1d(x[0], {1, 3}).sum(1);
     }},
    {"replication_pad",
     {{2, 3, 4}},
     [](X x) {
       return replication_pad2d(x[0], {1, 3, 2, 1}).sum(1) * replication_pad1d(x[0], {1, 3}).sum(1);
     }},
    {"circular_pad", {{2, 3}}, [](X x) { return pad(x[0], {3, 1}, kCircular); }},
    {"interpolate_nearest",
     {{1, 2, 3, 4}},
     [](X x) {
       return upsample_nearest2d(x[0], {5, 6}).sum(3)[0] * upsample_nearest1d(x[0][0], 5).sum(1);
     }},
    {"interpolate_between",
     {{1, 2, 3, 4}},
     [](X x) {
       return upsample_bilinear2d(x[0], {5, 6}, false).sum(2) *
              upsample_linear1d(x[0][0], 6, true).sum(1);
     }},
    {"interpolate",
     {{1, 2, 4, 4}},
     [](X x) { return interpolate(x[0], std::vector<int64_t>{2, 3}, std::nullopt, kArea); }},
};

// Each case once more as the function that its gradient is.
std::vector<Case> gradients_of_all() {
  std::vector<Case> twice;
  for (Case c : kCases) {
    c.function = gradient_of([function = c.function](X x) {
      const Tensor result = function(x);
      return result.square() * x[0].sum().to(result.device());
    });
    twice.push_back(std::move(c));
  }
  return twice;
}

class GradientOfComposed : public ::testing::TestWithParam<Case> {};
TEST_P(GradientOfComposed, IsTheFiniteDifference) { expect_gradient(GetParam()); }
INSTANTIATE_TEST_SUITE_P(First, GradientOfComposed, ::testing::ValuesIn(kCases), name_of_case);
INSTANTIATE_TEST_SUITE_P(Second, GradientOfComposed, ::testing::ValuesIn(gradients_of_all()),
                         name_of_case);

}  // namespace
}  // namespace tensorlib::testing
