// MultiheadAttention: what each step of a sequence takes from the steps of another one, or of its
// own, by as many views as there are heads (Vaswani et al., "Attention Is All You Need", 2017).
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "tensorlib/nn/modules/linear.h"

namespace tensorlib::nn {

struct MultiheadAttentionOptions {
  MultiheadAttentionOptions(int64_t embed_dim, int64_t num_heads)
      : embed_dim_(embed_dim), num_heads_(num_heads), kdim_(embed_dim), vdim_(embed_dim) {}
  TENSORLIB_OPTION(int64_t, embed_dim);
  TENSORLIB_OPTION(int64_t, num_heads);  // divides embed_dim
  // Of the attention's weights, in training.
  TENSORLIB_OPTION(double, dropout) = 0;
  TENSORLIB_OPTION(bool, bias) = true;
  // A step more, of learned numbers, behind the keys and the values; and one of zeros.
  TENSORLIB_OPTION(bool, add_bias_kv) = false;
  TENSORLIB_OPTION(bool, add_zero_attn) = false;
  // The features of keys and of values.
  TENSORLIB_OPTION(int64_t, kdim);
  TENSORLIB_OPTION(int64_t, vdim);
};

namespace functional {

struct MultiheadAttentionForwardFuncOptions {
  MultiheadAttentionForwardFuncOptions(int64_t embed_dim_to_check, int64_t num_heads,
                                       Tensor in_proj_weight, Tensor in_proj_bias, Tensor bias_k,
                                       Tensor bias_v, bool add_zero_attn, double dropout_p,
                                       Tensor out_proj_weight, Tensor out_proj_bias)
      : embed_dim_to_check_(embed_dim_to_check),
        num_heads_(num_heads),
        in_proj_weight_(std::move(in_proj_weight)),
        in_proj_bias_(std::move(in_proj_bias)),
        bias_k_(std::move(bias_k)),
        bias_v_(std::move(bias_v)),
        add_zero_attn_(add_zero_attn),
        dropout_p_(dropout_p),
        out_proj_weight_(std::move(out_proj_weight)),
        out_proj_bias_(std::move(out_proj_bias)) {}
  TENSORLIB_OPTION(int64_t, embed_dim_to_check);
  TENSORLIB_OPTION(int64_t, num_heads);
  TENSORLIB_OPTION(Tensor, in_proj_weight);  // [3 * embed_dim, embed_dim]: of query, key, value
  TENSORLIB_OPTION(Tensor, in_proj_bias);    // [3 * embed_dim]
  TENSORLIB_OPTION(Tensor, bias_k);          // [1, 1, embed_dim], both or neither
  TENSORLIB_OPTION(Tensor, bias_v);
  TENSORLIB_OPTION(bool, add_zero_attn);
  TENSORLIB_OPTION(double, dropout_p);
  TENSORLIB_OPTION(Tensor, out_proj_weight);  // [embed_dim, embed_dim]
  TENSORLIB_OPTION(Tensor, out_proj_bias);    // [embed_dim]
  TENSORLIB_OPTION(bool, training) = true;
  TENSORLIB_OPTION(Tensor, key_padding_mask);
  TENSORLIB_OPTION(bool, need_weights) = true;
  TENSORLIB_OPTION(Tensor, attn_mask);
  // In the place of in_proj_weight: [embed_dim, features] of each.
  TENSORLIB_OPTION(bool, use_separate_proj_weight) = false;
  TENSORLIB_OPTION(Tensor, q_proj_weight);
  TENSORLIB_OPTION(Tensor, k_proj_weight);
  TENSORLIB_OPTION(Tensor, v_proj_weight);
  // Keys and values as they are multiplied, [batch * heads, S, embed_dim / heads], in the place of
  // those that are computed.
  TENSORLIB_OPTION(Tensor, static_k);
  TENSORLIB_OPTION(Tensor, static_v);
  TENSORLIB_OPTION(bool, average_attn_weights) = true;
};

// As MultiheadAttention's forward, with the weights that the options have.
TENSORLIB_PURE TENSORLIB_API std::tuple<Tensor, Tensor> multi_head_attention_forward(
    const Tensor& query, const Tensor& key, const Tensor& value,
    const MultiheadAttentionForwardFuncOptions& options, CallSite site = CallSite::current());

}  // namespace functional

// The parameters are in_proj_weight (or q_proj_weight, k_proj_weight and v_proj_weight where kdim
// or vdim is not embed_dim), in_proj_bias, bias_k and bias_v, out_proj.weight, out_proj.bias: a
// state dict of PyTorch's fits.
class TENSORLIB_API MultiheadAttentionImpl : public Module {
 public:
  using ForwardOperand = Operand;

  MultiheadAttentionImpl(int64_t embed_dim, int64_t num_heads)
      : MultiheadAttentionImpl(MultiheadAttentionOptions(embed_dim, num_heads)) {}
  explicit MultiheadAttentionImpl(const MultiheadAttentionOptions& options);

  // query [L, batch, embed_dim], key [S, batch, kdim] and value [S, batch, vdim], on the module's
  // device, as the masks. Where one tensor is given for several of them, its product with their
  // weights is one.
  //
  // key_padding_mask, bool [batch, S]: the keys that nobody attends to.
  // attn_mask, [L, S] or [batch * num_heads, L, S]: a floating one is added to the scores, a bool
  // one hides where it is true (as in Python; LibTorch adds its ones).
  //
  // Gives the output [L, batch, embed_dim], and the attention's weights: [batch, L, S], the mean of
  // the heads, or [batch, num_heads, L, S] without average_attn_weights; undefined without
  // need_weights. add_bias_kv and add_zero_attn make S larger by one each.
  TENSORLIB_PURE std::tuple<Tensor, Tensor> forward(const Operand& query, const Tensor& key,
                                                    const Tensor& value,
                                                    const Tensor& key_padding_mask = {},
                                                    bool need_weights = true,
                                                    const Tensor& attn_mask = {},
                                                    bool average_attn_weights = true) const;
  void _reset_parameters();
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  MultiheadAttentionOptions options;
  bool _qkv_same_embed_dim;
  int64_t head_dim;
  Tensor in_proj_weight, in_proj_bias;
  Tensor q_proj_weight, k_proj_weight, v_proj_weight;
  Tensor bias_k, bias_v;
  Linear out_proj = nullptr;
};
TENSORLIB_MODULE(MultiheadAttention);

}  // namespace tensorlib::nn
