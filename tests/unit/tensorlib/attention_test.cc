// MultiheadAttention: against its formula, head by head; masks, devices, gradients.
#include <cmath>
#include <limits>
#include <sstream>

#include "unit/tensorlib/support.h"
#include "unit/tensorlib/waves.h"

namespace tensorlib::testing {
namespace {

using Names = std::vector<std::string>;
using Sizes = std::vector<int64_t>;

// Of one batch element and head, of plain numbers in [steps][features].
struct Plain {
  std::vector<std::vector<double>> output;   // before out_proj
  std::vector<std::vector<double>> weights;  // [L][S]
};
Plain attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& added) {
  const int64_t l = q.size(0), s = k.size(0), d = q.size(1);
  const auto at = [](const std::vector<double>& x, int64_t width, int64_t i, int64_t j) {
    return x[static_cast<size_t>(i * width + j)];
  };
  const auto qs = elements(q), ks = elements(k), vs = elements(v), as = elements(added);
  Plain plain;
  for (int64_t i = 0; i < l; ++i) {
    std::vector<double> row;
    double sum = 0;
    for (int64_t j = 0; j < s; ++j) {
      double score = 0;
      for (int64_t f = 0; f < d; ++f) score += at(qs, d, i, f) * at(ks, d, j, f);
      row.push_back(std::exp(score / std::sqrt(static_cast<double>(d)) + at(as, s, i, j)));
      sum += row.back();
    }
    std::vector<double> mixed(static_cast<size_t>(d));
    for (int64_t j = 0; j < s; ++j) {
      row[static_cast<size_t>(j)] /= sum;
      for (int64_t f = 0; f < d; ++f) {
        mixed[static_cast<size_t>(f)] += row[static_cast<size_t>(j)] * at(vs, d, j, f);
      }
    }
    plain.weights.push_back(row);
    plain.output.push_back(mixed);
  }
  return plain;
}

TEST(MultiheadAttention, MatchesTheFormulaHeadByHead) {
  constexpr int64_t kLength = 3, kSteps = 4, kBatch = 2, kHeads = 2, kSize = 6;
  constexpr double kHidden = -std::numeric_limits<double>::infinity();
  for (const Device device : devices()) {
    nn::MultiheadAttention attention(nn::MultiheadAttentionOptions(kSize, kHeads).kdim(5).vdim(3));
    set_up(attention, device);
    const Tensor query = wave({kLength, kBatch, kSize}, 0.3, device);
    const Tensor key = wave({kSteps, kBatch, 5}, 0.5, device);
    const Tensor value = wave({kSteps, kBatch, 3}, 0.7, device);
    const Tensor added = wave({kLength, kSteps}, 0.9, device);
    Tensor padding = zeros({kBatch, kSteps}, kBool);
    padding[1][3] = true;
    const auto [output, weights] =
        attention(query, key, value, padding.to(device), true, added, false);
    EXPECT_EQ(output.sizes(), Sizes({kLength, kBatch, kSize}));
    EXPECT_EQ(weights.sizes(), Sizes({kBatch, kHeads, kLength, kSteps}));
    const auto bias = attention->in_proj_bias.chunk(3);
    const Tensor q = linear(query, attention->q_proj_weight, bias[0]);
    const Tensor k = linear(key, attention->k_proj_weight, bias[1]);
    const Tensor v = linear(value, attention->v_proj_weight, bias[2]);
    for (int64_t b = 0; b < kBatch; ++b) {
      Tensor joined = zeros({kLength, kSize}, kDouble);
      for (int64_t h = 0; h < kHeads; ++h) {
        const auto head = [&](const Tensor& t) { return t.select(1, b).narrow(1, h * 3, 3); };
        Tensor mask = added.cpu().clone();
        if (b == 1) mask.select(1, 3).fill_(kHidden);
        const Plain plain = attend(head(q), head(k), head(v), mask);
        for (int64_t i = 0; i < kLength; ++i) {
          EXPECT_TRUE(
              near(elements(weights[b][h][i]), plain.weights[static_cast<size_t>(i)], 1e-12));
          joined[i]
              .narrow(0, h * 3, 3)
              .copy_(tensor(plain.output[static_cast<size_t>(i)], kDouble));
        }
      }
      const Tensor expected =
          linear(joined.to(device), attention->out_proj->weight, attention->out_proj->bias);
      EXPECT_TRUE(near(elements(output.select(1, b)), elements(expected), 1e-12));
    }
    const auto [same, mean] = attention(query, key, value, padding.to(device), true, added);
    EXPECT_TRUE(near(elements(mean), elements(weights.mean(1)), 1e-12));
    EXPECT_EQ(elements(same), elements(output));
    EXPECT_FALSE(std::get<1>(attention(query, key, value, Tensor(), false)).defined());
  }
}

// One product for all, one for keys and values, or one each.
TEST(MultiheadAttention, IsTheSameHoweverItsInputsAreGiven) {
  for (const Device device : devices()) {
    nn::MultiheadAttention attention(4, 2);
    set_up(attention, device);
    const Tensor x = wave({3, 2, 4}, 0.3, device);
    const auto expected = elements(std::get<0>(attention(x, x, x)));
    const Tensor y = x.clone();
    EXPECT_TRUE(near(elements(std::get<0>(attention(x, y, y))), expected, 1e-12));
    EXPECT_TRUE(near(elements(std::get<0>(attention(x, y, x.clone()))), expected, 1e-12));
  }
}

TEST(MultiheadAttention, ABoolMaskHides) {
  for (const Device device : devices()) {
    nn::MultiheadAttention attention(4, 2);
    set_up(attention, device);
    const Tensor x = wave({3, 2, 4}, 0.3, device);
    const Tensor later = ones({3, 3}, kBool).triu(1).to(device);
    const Tensor added = zeros({3, 3}, kDouble).to(device).masked_fill(later, -INFINITY);
    const auto expected = attention(x, x, x, Tensor(), true, added);
    const auto each = later.expand({4, 3, 3}).contiguous();
    for (const Tensor& mask : {later, each}) {
      const auto [output, weights] = attention(x, x, x, Tensor(), true, mask);
      EXPECT_EQ(elements(output), elements(std::get<0>(expected)));
      EXPECT_EQ(weights[0][0][1].item<double>(), 0);
    }
  }
}

TEST(MultiheadAttention, TakesOneStepMoreOfLearnedNumbersAndOneOfZeros) {
  for (const Device device : devices()) {
    nn::MultiheadAttention attention(
        nn::MultiheadAttentionOptions(4, 2).add_bias_kv(true).add_zero_attn(true).bias(false));
    set_up(attention, device);
    EXPECT_EQ(attention->named_parameters().keys(),
              Names({"in_proj_weight", "bias_k", "bias_v", "out_proj.weight"}));
    const Tensor x = wave({3, 2, 4}, 0.3, device);
    // All of the sequence is hidden: what is left are the two steps more.
    const Tensor all = ones({3, 3}, kBool).to(device);
    const auto [output, weights] = attention(x, x, x, ones({2, 3}, kBool).to(device), true, all);
    EXPECT_EQ(weights.sizes(), Sizes({2, 3, 5}));
    EXPECT_TRUE(near(elements(weights.narrow(2, 3, 2).sum(2)), std::vector<double>(6, 1), 1e-12));
    EXPECT_EQ(elements(weights.narrow(2, 0, 3)), std::vector<double>(18, 0));
  }
}

TEST(MultiheadAttention, StaticKeysAndValuesStandInPlaceOfComputedOnes) {
  for (const Device device : devices()) {
    nn::MultiheadAttention attention(4, 2);
    set_up(attention, device);
    const Tensor x = wave({3, 2, 4}, 0.3, device);
    const auto bias = attention->in_proj_bias.chunk(3);
    const auto weight = attention->in_proj_weight.chunk(3);
    const auto heads = [&](size_t i) {
      return linear(x, weight[i], bias[i]).view({3, 4, 2}).transpose(0, 1);
    };
    const auto options = nn::functional::MultiheadAttentionForwardFuncOptions(
        4, 2, attention->in_proj_weight, attention->in_proj_bias, {}, {}, false, 0,
        attention->out_proj->weight, attention->out_proj->bias);
    const Tensor other = wave({5, 2, 4}, 0.9, device);
    const auto given =
        nn::functional::MultiheadAttentionForwardFuncOptions(options).static_k(heads(1)).static_v(
            heads(2));
    const auto [output, weights] =
        nn::functional::multi_head_attention_forward(x, other, other, given);
    EXPECT_TRUE(near(elements(output), elements(std::get<0>(attention(x, x, x))), 1e-12));
    EXPECT_EQ(weights.sizes(), Sizes({2, 3, 3}));
  }
}

TEST(MultiheadAttention, GradientsAreTheFiniteDifferences) {
  for (const Device device : devices()) {
    nn::MultiheadAttention attention(nn::MultiheadAttentionOptions(4, 2).add_bias_kv(true).kdim(3));
    set_up(attention, device);
    std::vector<Tensor> leaves = {wave({2, 1, 4}, 0.3, device), wave({3, 1, 3}, 0.5, device),
                                  wave({3, 1, 4}, 0.7, device), wave({2, 3}, 0.9, device)};
    for (const Tensor& leaf : leaves) leaf.requires_grad_();
    const auto loss = [&] {
      const auto [output, weights] =
          attention(leaves[0], leaves[1], leaves[2], Tensor(), true, leaves[3]);
      return (output * output.detach().cos()).sum() + (weights * weights).sum();
    };
    const auto scalar = [&] {
      const auto [output, weights] =
          attention(leaves[0], leaves[1], leaves[2], Tensor(), true, leaves[3]);
      return output.sin().sum() + (weights * weights).sum();
    };
    loss().backward();
    for (const Tensor& parameter : attention->parameters()) leaves.push_back(parameter);
    for (const Tensor& leaf : leaves) {
      ASSERT_TRUE(leaf.grad().defined()) << leaf.sizes();
      const auto actual = elements(leaf.grad());
      NoGradGuard no_grad;
      const Tensor flat = leaf.view({-1});
      for (int64_t i = 0; i < flat.numel(); ++i) {
        const double value = flat[i].item<double>(), step = 1e-5;
        flat[i] = value + step;
        const double above = scalar().item<double>();
        flat[i] = value - step;
        const double below = scalar().item<double>();
        flat[i] = value;
        EXPECT_NEAR(actual[static_cast<size_t>(i)], (above - below) / (2 * step), 1e-6)
            << i << " of " << leaf.sizes();
      }
    }
  }
}

TEST(MultiheadAttention, DropsOutInTraining) {
  for (const Device device : devices()) {
    nn::MultiheadAttention attention(nn::MultiheadAttentionOptions(4, 2).dropout(1));
    set_up(attention, device);
    const Tensor x = wave({3, 2, 4}, 0.3, device);
    EXPECT_EQ(elements(std::get<1>(attention(x, x, x))), std::vector<double>(18, 0));
    attention->eval();
    EXPECT_NE(elements(std::get<1>(attention(x, x, x))), std::vector<double>(18, 0));
  }
}

TEST(MultiheadAttention, NothingCrossesInAStepOnADevice) {
  for (const Device device : cuda_devices()) {
    nn::MultiheadAttention attention(
        nn::MultiheadAttentionOptions(4, 2).dropout(0.5).add_bias_kv(true).add_zero_attn(true));
    attention->to(device);
    const Tensor x = rand({3, 2, 4}, device), y = rand({5, 2, 4}, device);
    const Tensor padding = zeros({2, 5}, TensorOptions(device).dtype(kBool));
    const Tensor hidden = zeros({3, 5}, TensorOptions(device).dtype(kBool));
    TransferGuard none(TransferGuardLevel::kDisallowExplicit);
    const auto [output, weights] = attention(x, y, y, padding, true, hidden);
    (output.sum() + weights.sum()).backward();
    EXPECT_EQ(attention->bias_k.grad().device(), device);
    (void)attention(x, x, x, Tensor(), true, zeros({3, 3}, device));
  }
}

TEST(MultiheadAttention, AMismatchNamesTheLineAndTheOperand) {
  for (const Device device : cuda_devices()) {
    struct NetImpl : nn::Module {
      NetImpl() : attention(register_module("attention", nn::MultiheadAttention(4, 2))) {}
      nn::MultiheadAttention attention;
    };
    NetImpl net;
    net.to(device);
    nn::MultiheadAttention& attention = net.attention;
    const Tensor x = ones({3, 2, 4}), there = x.to(device);
    const Tensor padding = zeros({2, 3}, kBool), mask = ones({3, 3}), none;
    const auto expect = [](const std::string& text, int line, const std::string& part) {
      EXPECT_NE(text.find("attention_test.cc:" + std::to_string(line)), std::string::npos) << text;
      EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    const int line = __LINE__ + 1;
    expect(error_of([&] { (void)attention(x, x, x); }), line, "\n  attention.in_proj_weight ");
    expect(error_of([&] { (void)attention->forward(there, x, there); }), line + 1,
           "help: move key to where attention.in_proj_weight is");
    expect(error_of([&] { (void)attention(there, there, there, padding); }), line + 3,
           "help: move key_padding_mask to where attention.in_proj_weight is");
    expect(error_of([&] { (void)attention(there, there, there, none, true, mask); }), line + 5,
           "help: move attn_mask to where attention.in_proj_weight is");
    nn::MultiheadAttention left_behind(4, 2);
    EXPECT_NE(error_of([&] {
                (void)left_behind(there, there, there);
              }).find("help: move the module of MultiheadAttention.in_proj_weight"),
              std::string::npos);
    OperandPolicyScope brings(OperandPolicy::kImplicit);
    EXPECT_EQ(std::get<0>(attention(x, x, x, padding)).device(), device);
  }
}

TEST(MultiheadAttention, RefusesWhatDoesNotFit) {
  nn::MultiheadAttention attention(4, 2);
  const Tensor x = ones({3, 2, 4});
  EXPECT_THROW((void)attention(ones({3, 4}), x, x), ShapeError);
  EXPECT_THROW((void)attention(ones({3, 2, 6}), x, x), ShapeError);
  EXPECT_THROW((void)attention(x, ones({3, 1, 4}), x), ShapeError);
  EXPECT_THROW((void)attention(x, x, ones({4, 2, 4})), ShapeError);
  EXPECT_THROW((void)attention(x, x, x, ones({3, 2}, kBool)), ShapeError);
  EXPECT_THROW((void)attention(x, x, x, ones({2, 3})), DTypeMismatchError);
  EXPECT_THROW((void)attention(x, x, x, Tensor(), true, ones({2, 3})), ShapeError);
  EXPECT_THROW((void)attention(x, x.to(kDouble), x), DTypeMismatchError);
  EXPECT_THROW((void)attention(x, Tensor(), x), Error);
  EXPECT_THROW((void)nn::MultiheadAttention(4, 3), ShapeError);
}

TEST(MultiheadAttention, ClonesAndLoadsWhatPyTorchNames) {
  nn::MultiheadAttention attention(4, 2), other(4, 2);
  EXPECT_EQ(attention->named_parameters().keys(),
            Names({"in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"}));
  EXPECT_EQ(nn::MultiheadAttention(nn::MultiheadAttentionOptions(4, 2).vdim(3))
                ->named_parameters()
                .keys(),
            Names({"q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_bias",
                   "out_proj.weight", "out_proj.bias"}));
  const Tensor x = rand({3, 2, 4});
  const auto expected = elements(std::get<0>(attention(x, x, x)));
  const auto copy = std::dynamic_pointer_cast<nn::MultiheadAttentionImpl>(attention->clone());
  EXPECT_EQ(elements(std::get<0>(copy->forward(x, x, x))), expected);
  EXPECT_FALSE(copy->out_proj->weight.is_alias_of(attention->out_proj->weight));
  std::stringstream file;
  save(attention, file);
  load(other, file);
  EXPECT_EQ(elements(std::get<0>(other(x, x, x))), expected);
}

}  // namespace
}  // namespace tensorlib::testing
