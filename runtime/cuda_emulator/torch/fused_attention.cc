// Attention as one kernel, which PyTorch chooses for GPUs where a program asks for it, by its
// mathematics.

#include <cmath>

#include "torch/dropped.h"
#include "torch/own_kernels.h"

namespace xfer::emulated_torch {
namespace {

using at::Tensor;

struct Attention {
  Tensor query, key, value, bias;  ///< [batch, heads, length, width]
  double dropout = 0;
  bool is_causal = false;
  double scale = 1;

  /// With as many heads as the query has.
  Tensor of_all_heads(const Tensor& shared) const {
    const std::int64_t times = query.size(1) / std::max<std::int64_t>(shared.size(1), 1);
    return times > 1 ? shared.repeat_interleave(times, 1) : shared;
  }
  Tensor scores() const {
    Tensor scores = query.to(at::kFloat).matmul(of_all_heads(key).to(at::kFloat).transpose(-2, -1));
    scores = scores * scale;
    if (bias.defined()) scores = scores + bias;
    if (is_causal)
      scores = scores.masked_fill(
          at::ones({scores.size(-2), scores.size(-1)}, scores.options().dtype(at::kBool))
              .tril()
              .logical_not(),
          -INFINITY);
    return scores;
  }
};

double scale_of(const c10::IValue& given, const Tensor& query) {
  return given.isDouble() ? given.toDouble() : 1 / std::sqrt(static_cast<double>(query.size(-1)));
}

/// Where the arguments of a variant are: query, key and value come first, in order.
struct Places {
  int bias;  ///< -1: it has none
  int dropout;
  int is_causal;
  int scale;
  int seed = -1;  ///< of a backward pass: what tells the call whose numbers were dropped
};

/// `query`: where that is.
Attention attention_of(const c10::Stack& stack, std::size_t query, const Places& at) {
  const Arguments of(stack);
  const Tensor bias = at.bias >= 0 ? of[at.bias] : Tensor();
  return {of[query],
          of[query + 1],
          of[query + 2],
          bias.defined() && bias.numel() != 0 ? bias : Tensor(),
          stack[at.dropout].toDouble(),
          stack[at.is_causal].toBool(),
          scale_of(stack[at.scale], of[query])};
}

/// Which of the results follow output and logsumexp.
enum class Variant { kEfficient, kFlash, kCudnn };

/// The seed for the backward pass: the call's number. CUDA's philox_offset, or the second half of
/// flash's state, is 0.
Tensor seed_of(std::int64_t call, Variant variant) {
  if (variant == Variant::kFlash) return at::tensor({call, std::int64_t{0}}).to(at::kUInt64);
  return at::scalar_tensor(call, at::kLong);
}

OwnKernel forward(Places at, Variant variant) {
  return [=](c10::Stack* stack) {
    const Attention its = attention_of(*stack, 0, at);
    const Tensor scores = its.scores();
    Tensor weights = scores.softmax(-1);
    std::int64_t call = 0;
    if (its.dropout > 0) {
      const Kept kept = draw_kept(weights, its.dropout);
      weights = weights * kept.factors;
      call = kept.call;
    }
    const Tensor out = weights.matmul(its.of_all_heads(its.value).to(at::kFloat));
    const Tensor none;
    const Tensor seed = seed_of(call, variant);
    set_results(stack, {out.to(its.query.dtype()), scores.logsumexp(-1)});
    if (variant != Variant::kEfficient)
      stack->insert(stack->end(), {none, none, its.query.size(2), its.key.size(2)});
    stack->insert(stack->end(), {seed, at::scalar_tensor(0, at::kLong)});
    if (variant != Variant::kEfficient) stack->emplace_back(none);
  };
}

/// grad_out, query, key, value come first.
OwnKernel backward(Places at, std::size_t results) {
  return [=](c10::Stack* stack) {
    const Attention its = attention_of(*stack, 1, at);
    const Tensor grad = (*stack)[0].toTensor().to(at::kFloat);
    const Tensor weights = its.scores().softmax(-1);
    Tensor grad_weights = grad.matmul(its.of_all_heads(its.value).to(at::kFloat).transpose(-2, -1));
    Tensor used = weights;
    if (its.dropout > 0) {
      const auto call = Arguments(*stack)[at.seed].to(at::kLong).flatten()[0].item<std::int64_t>();
      const Tensor factors = draw_kept_again(weights, its.dropout, call);
      grad_weights = grad_weights * factors;
      used = weights * factors;
    }
    const Tensor grad_scores =
        weights * (grad_weights - (grad_weights * weights).sum(-1, /*keepdim=*/true));
    const auto summed = [](const Tensor& all, const Tensor& shared) {
      if (all.size(1) == shared.size(1)) return all.to(shared.dtype());
      return all.unflatten(1, {shared.size(1), all.size(1) / shared.size(1)})
          .sum(2)
          .to(shared.dtype());
    };
    set_results(stack,
                {(grad_scores.matmul(its.of_all_heads(its.key).to(at::kFloat)) * its.scale)
                     .to(its.query.dtype()),
                 summed(grad_scores.transpose(-2, -1).matmul(its.query.to(at::kFloat)) * its.scale,
                        its.key),
                 summed(used.transpose(-2, -1).matmul(grad), its.value),
                 its.bias.defined() ? grad_scores.sum_to_size(its.bias.sizes()).to(its.bias.dtype())
                                    : Tensor()});
    stack->resize(results);
  };
}

}  // namespace

OwnKernel fused_attention(std::string_view name) {
  constexpr std::string_view kName = "aten::_scaled_dot_product_";
  if (!name.starts_with(kName)) return {};
  name.remove_prefix(kName.size());
  if (name == "efficient_attention") return forward({3, 5, 6, 7}, Variant::kEfficient);
  if (name == "flash_attention") return forward({-1, 3, 4, 6}, Variant::kFlash);
  if (name == "cudnn_attention") return forward({3, 5, 6, 8}, Variant::kCudnn);
  if (name == "efficient_attention_backward") return backward({4, 9, 11, 12, 7}, 4);
  if (name == "flash_attention_backward") return backward({-1, 10, 11, 14, 12}, 3);
  if (name == "cudnn_attention_backward") return backward({8, 13, 14, 15, 6}, 3);
  return {};
}

}  // namespace xfer::emulated_torch
