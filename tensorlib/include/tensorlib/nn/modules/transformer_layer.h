// The layers that a Transformer is made of (Vaswani et al., "Attention Is All You Need", 2017),
// each with the sum and the norm behind its parts.
//
// Sequences are [steps, batch, d_model]. A mask of attention, [L, S], is added to the scores, or
// hides where it is true; a key padding mask, bool [batch, S], names the steps that nobody attends
// to. All are on the layer's device.
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "tensorlib/nn/init.h"
#include "tensorlib/nn/modules/activation.h"
#include "tensorlib/nn/modules/attention.h"
#include "tensorlib/nn/modules/layernorm.h"

namespace tensorlib {

struct GELUActivation {};
constexpr GELUActivation kGELU{};

namespace nn {

// The activation between the linear layers: torch::kReLU, torch::kGELU, or a function of a tensor.
class TENSORLIB_API TransformerActivation {
 public:
  // An Error for others than kReLU.
  TransformerActivation(init::Nonlinearity relu);
  TransformerActivation(GELUActivation);
  TransformerActivation(Tensor (*operation)(const Tensor&, CallSite)) : function_(operation) {}
  template <class Function,
            std::enable_if_t<std::is_invocable_r_v<Tensor, Function, const Tensor&> &&
                                 !std::is_invocable_v<Function, const Tensor&, CallSite>,
                             int> = 0>
  TransformerActivation(Function function)
      : function_([function = std::move(function)](const Tensor& input, CallSite) {
          return function(input);
        }) {}
  Tensor operator()(const Tensor& input, CallSite site) const { return function_(input, site); }

 private:
  std::function<Tensor(const Tensor&, CallSite)> function_;
};
using activation_t = TransformerActivation;

#define TENSORLIB_TRANSFORMER_LAYER_OPTIONS(Name)                            \
  Name(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {} \
  TENSORLIB_OPTION(int64_t, d_model);                                        \
  TENSORLIB_OPTION(int64_t, nhead);                                          \
  TENSORLIB_OPTION(int64_t, dim_feedforward) = 2048;                         \
  TENSORLIB_OPTION(double, dropout) = 0.1;                                   \
  TENSORLIB_OPTION(TransformerActivation, activation) = kReLU
struct TransformerEncoderLayerOptions {
  TENSORLIB_TRANSFORMER_LAYER_OPTIONS(TransformerEncoderLayerOptions);
};
struct TransformerDecoderLayerOptions {
  TENSORLIB_TRANSFORMER_LAYER_OPTIONS(TransformerDecoderLayerOptions);
};
#undef TENSORLIB_TRANSFORMER_LAYER_OPTIONS

// Attention of the sequence to itself, then two linear layers.
class TENSORLIB_API TransformerEncoderLayerImpl : public Module {
 public:
  using ForwardOperand = Operand;

  TransformerEncoderLayerImpl(int64_t d_model, int64_t nhead)
      : TransformerEncoderLayerImpl(TransformerEncoderLayerOptions(d_model, nhead)) {}
  explicit TransformerEncoderLayerImpl(const TransformerEncoderLayerOptions& options);
  // src and the result are [S, batch, d_model].
  TENSORLIB_PURE Tensor forward(const Operand& src, const Tensor& src_mask = {},
                                const Tensor& src_key_padding_mask = {}) const;
  void reset_parameters();
  TENSORLIB_CLONE;

  TransformerEncoderLayerOptions options;
  MultiheadAttention self_attn = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;
  LayerNorm norm1 = nullptr, norm2 = nullptr;
  Dropout dropout = nullptr, dropout1 = nullptr, dropout2 = nullptr;
};
TENSORLIB_MODULE(TransformerEncoderLayer);

// Attention of the sequence to itself, then to what the encoder gave, then two linear layers.
class TENSORLIB_API TransformerDecoderLayerImpl : public Module {
 public:
  using ForwardOperand = Operand;

  TransformerDecoderLayerImpl(int64_t d_model, int64_t nhead)
      : TransformerDecoderLayerImpl(TransformerDecoderLayerOptions(d_model, nhead)) {}
  explicit TransformerDecoderLayerImpl(const TransformerDecoderLayerOptions& options);
  // tgt and the result are [T, batch, d_model], memory is [S, batch, d_model].
  TENSORLIB_PURE Tensor forward(const Operand& tgt, const Tensor& memory,
                                const Tensor& tgt_mask = {}, const Tensor& memory_mask = {},
                                const Tensor& tgt_key_padding_mask = {},
                                const Tensor& memory_key_padding_mask = {}) const;
  void reset_parameters();
  TENSORLIB_CLONE;

  TransformerDecoderLayerOptions options;
  MultiheadAttention self_attn = nullptr, multihead_attn = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;
  LayerNorm norm1 = nullptr, norm2 = nullptr, norm3 = nullptr;
  Dropout dropout = nullptr, dropout1 = nullptr, dropout2 = nullptr, dropout3 = nullptr;
};
TENSORLIB_MODULE(TransformerDecoderLayer);

}  // namespace nn
}  // namespace tensorlib
