// TransformerEncoderLayer and TransformerDecoderLayer.
#include "tensorlib/nn/modules/transformer_layer.h"

#include "core/check.h"
#include "nn/layer.h"

namespace tensorlib::nn {

TransformerActivation::TransformerActivation(init::Nonlinearity relu)
    : function_([](const Tensor& input, CallSite site) { return input.relu(site); }) {
  if (relu == kReLU) return;
  throw Error("a Transformer's activation is kReLU, kGELU or a function", CallSite::none());
}
TransformerActivation::TransformerActivation(GELUActivation)
    : function_([](const Tensor& input, CallSite site) { return gelu(input, site); }) {}

namespace {

// A layer's attention to a sequence (to its own, where that is the query itself).
Tensor attended(const MultiheadAttention& attention, const Tensor& query, const Tensor& sequence,
                const Tensor& mask, const Tensor& padding, CallSite site) {
  return std::get<0>(
      attention->forward(Operand(query, site), sequence, sequence, padding, false, mask));
}

// The sum with what a part of the layer made of it, normed.
Tensor joined(const Tensor& input, const Tensor& made, const Dropout& dropout,
              const LayerNorm& norm, CallSite site) {
  return norm->forward(input.add(dropout->forward(made, site), 1, site), site);
}

template <class Layer>
Tensor fed_forward(const Layer& layer, const Tensor& input, CallSite site) {
  const Tensor hidden = layer.options.activation()(layer.linear1->forward(input, site), site);
  return layer.linear2->forward(layer.dropout->forward(hidden, site), site);
}

MultiheadAttention attention_of(int64_t d_model, int64_t nhead, double dropout) {
  return MultiheadAttention(MultiheadAttentionOptions(d_model, nhead).dropout(dropout));
}

LayerNorm norm_of(int64_t d_model) {
  return LayerNorm(LayerNormOptions(std::vector<int64_t>{d_model}));
}

}  // namespace

TransformerEncoderLayerImpl::TransformerEncoderLayerImpl(const TransformerEncoderLayerOptions& o)
    : options(o) {
  self_attn = register_module("self_attn", attention_of(o.d_model(), o.nhead(), o.dropout()));
  linear1 = register_module("linear1", Linear(o.d_model(), o.dim_feedforward()));
  dropout = register_module("dropout", Dropout(o.dropout()));
  linear2 = register_module("linear2", Linear(o.dim_feedforward(), o.d_model()));
  norm1 = register_module("norm1", norm_of(o.d_model()));
  norm2 = register_module("norm2", norm_of(o.d_model()));
  dropout1 = register_module("dropout1", Dropout(o.dropout()));
  dropout2 = register_module("dropout2", Dropout(o.dropout()));
}
void TransformerEncoderLayerImpl::reset_parameters() {
  self_attn->_reset_parameters();
  for (const Linear& linear : {linear1, linear2}) linear->reset_parameters();
  for (const LayerNorm& norm : {norm1, norm2}) norm->reset_parameters();
}
Tensor TransformerEncoderLayerImpl::forward(const Operand& src, const Tensor& src_mask,
                                            const Tensor& src_key_padding_mask) const {
  const CallSite site = src.site;
  require_defined(src.tensor, "src", "TransformerEncoderLayer", site);
  check_together("TransformerEncoderLayer", site,
                 {{"src", src.tensor},
                  {"src_mask", src_mask},
                  {"src_key_padding_mask", src_key_padding_mask},
                  {"in_proj_weight", self_attn->in_proj_weight}});
  const Tensor taken =
      attended(self_attn, src.tensor, src.tensor, src_mask, src_key_padding_mask, site);
  const Tensor x = joined(src.tensor, taken, dropout1, norm1, site);
  return joined(x, fed_forward(*this, x, site), dropout2, norm2, site);
}

TransformerDecoderLayerImpl::TransformerDecoderLayerImpl(const TransformerDecoderLayerOptions& o)
    : options(o) {
  self_attn = register_module("self_attn", attention_of(o.d_model(), o.nhead(), o.dropout()));
  multihead_attn =
      register_module("multihead_attn", attention_of(o.d_model(), o.nhead(), o.dropout()));
  linear1 = register_module("linear1", Linear(o.d_model(), o.dim_feedforward()));
  dropout = register_module("dropout", Dropout(o.dropout()));
  linear2 = register_module("linear2", Linear(o.dim_feedforward(), o.d_model()));
  norm1 = register_module("norm1", norm_of(o.d_model()));
  norm2 = register_module("norm2", norm_of(o.d_model()));
  norm3 = register_module("norm3", norm_of(o.d_model()));
  dropout1 = register_module("dropout1", Dropout(o.dropout()));
  dropout2 = register_module("dropout2", Dropout(o.dropout()));
  dropout3 = register_module("dropout3", Dropout(o.dropout()));
}
void TransformerDecoderLayerImpl::reset_parameters() {
  self_attn->_reset_parameters();
  multihead_attn->_reset_parameters();
  for (const Linear& linear : {linear1, linear2}) linear->reset_parameters();
  for (const LayerNorm& norm : {norm1, norm2, norm3}) norm->reset_parameters();
}
Tensor TransformerDecoderLayerImpl::forward(const Operand& tgt, const Tensor& memory,
                                            const Tensor& tgt_mask, const Tensor& memory_mask,
                                            const Tensor& tgt_key_padding_mask,
                                            const Tensor& memory_key_padding_mask) const {
  const CallSite site = tgt.site;
  require_defined(tgt.tensor, "tgt", "TransformerDecoderLayer", site);
  require_defined(memory, "memory", "TransformerDecoderLayer", site);
  check_together("TransformerDecoderLayer", site,
                 {{"tgt", tgt.tensor},
                  {"memory", memory},
                  {"tgt_mask", tgt_mask},
                  {"memory_mask", memory_mask},
                  {"tgt_key_padding_mask", tgt_key_padding_mask},
                  {"memory_key_padding_mask", memory_key_padding_mask},
                  {"in_proj_weight", self_attn->in_proj_weight}});
  Tensor taken = attended(self_attn, tgt.tensor, tgt.tensor, tgt_mask, tgt_key_padding_mask, site);
  Tensor x = joined(tgt.tensor, taken, dropout1, norm1, site);
  taken = attended(multihead_attn, x, memory, memory_mask, memory_key_padding_mask, site);
  x = joined(x, taken, dropout2, norm2, site);
  return joined(x, fed_forward(*this, x, site), dropout3, norm3, site);
}

}  // namespace tensorlib::nn
