// Attention as one kernel, which PyTorch chooses for GPUs where a program asks for it, by its
// mathematics. No dropout: the backward pass could not know what was dropped.

#include <cmath>

#include "torch/own_kernels.h"

namespace xfer::emulated_torch {
namespace {

using at::Tensor;

struct Attention {
  Tensor query, key, value, bias;  ///< [batch, heads, length, width]
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
};

/// `query`: where that is.
Attention attention_of(const c10::Stack& stack, std::size_t query, const Places& at) {
  const Arguments of(stack);
  TORCH_CHECK(stack[at.dropout].toDouble() == 0,
              "dropout within a fused attention is not computed");
  const Tensor bias = at.bias >= 0 ? of[at.bias] : Tensor();
  return {of[query],
          of[query + 1],
          of[query + 2],
          bias.defined() && bias.numel() != 0 ? bias : Tensor(),
          stack[at.is_causal].toBool(),
          scale_of(stack[at.scale], of[query])};
}

OwnKernel forward(Places at) {
  return [at](c10::Stack* stack) {
    const Attention its = attention_of(*stack, 0, at);
    const Tensor scores = its.scores();
    const Tensor out = scores.softmax(-1).matmul(its.of_all_heads(its.value).to(at::kFloat));
    set_results(stack, {out.to(its.query.dtype()), scores.logsumexp(-1)});
  };
}

/// grad_out, query, key, value come first.
OwnKernel backward(Places at) {
  return [at](c10::Stack* stack) {
    const Attention its = attention_of(*stack, 1, at);
    const Tensor grad = (*stack)[0].toTensor().to(at::kFloat);
    const Tensor weights = its.scores().softmax(-1);
    const Tensor grad_weights =
        grad.matmul(its.of_all_heads(its.value).to(at::kFloat).transpose(-2, -1));
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
                 summed(weights.transpose(-2, -1).matmul(grad), its.value),
                 its.bias.defined() ? grad_scores.sum_to_size(its.bias.sizes()).to(its.bias.dtype())
                                    : Tensor()});
  };
}

}  // namespace

OwnKernel fused_attention(std::string_view name) {
  if (name == "aten::_scaled_dot_product_efficient_attention") return forward({3, 5, 6, 7});
  if (name == "aten::_scaled_dot_product_flash_attention") return forward({-1, 3, 4, 6});
  if (name == "aten::_scaled_dot_product_efficient_attention_backward")
    return backward({4, 9, 11, 12});
  if (name == "aten::_scaled_dot_product_flash_attention_backward")
    return backward({-1, 10, 11, 14});
  return {};
}

}  // namespace xfer::emulated_torch
