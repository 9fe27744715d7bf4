// TransformerEncoder, TransformerDecoder and Transformer.
#include "tensorlib/nn/modules/transformer.h"

#include <limits>

#include "core/check.h"
#include "nn/layer.h"

namespace tensorlib::nn {

namespace {

// The layers and the norm of an encoder or a decoder.
template <class Coder, class Layer>
void make_parts(Coder& coder, const Layer& layer) {
  if (coder.options.num_layers() < 0) {
    throw Error(str_cat(short_name(coder), ": num_layers is ", coder.options.num_layers()),
                CallSite::none());
  }
  coder.register_module("layers", coder.layers);
  for (int64_t i = 0; i < coder.options.num_layers(); ++i) coder.layers->push_back(layer->clone());
  coder.norm = coder.options.norm();
  if (!coder.norm.is_empty()) coder.register_module("norm", coder.norm.ptr());
}

template <class Layer, class Coder>
void reset_parts(Coder& coder) {
  for (const auto& layer : *coder.layers) layer->template as<Layer>()->reset_parameters();
  if (coder.norm.is_empty()) return;
  if (auto* norm = coder.norm.ptr()->template as<LayerNorm>()) norm->reset_parameters();
}

AnyModule own(const AnyModule& module) { return module.is_empty() ? module : module.clone(); }

}  // namespace

TransformerEncoderImpl::TransformerEncoderImpl(const TransformerEncoderOptions& given)
    : options(given) {
  make_parts(*this, options.encoder_layer());
}
void TransformerEncoderImpl::reset_parameters() { reset_parts<TransformerEncoderLayer>(*this); }
Tensor TransformerEncoderImpl::forward(const Operand& src, const Tensor& src_mask,
                                       const Tensor& src_key_padding_mask) const {
  Tensor x = src.tensor;
  for (const auto& layer : *layers.ptr()) {
    x = layer->as<TransformerEncoderLayer>()->forward(Operand(x, src.site), src_mask,
                                                      src_key_padding_mask);
  }
  return norm.is_empty() ? x : norm.forward(x, src.site);
}
std::shared_ptr<Module> TransformerEncoderImpl::clone(const std::optional<Device>& device) const {
  return clone_as(std::make_shared<TransformerEncoderImpl>(
                      TransformerEncoderOptions(options).norm(own(options.norm()))),
                  device);
}

TransformerDecoderImpl::TransformerDecoderImpl(const TransformerDecoderOptions& given)
    : options(given) {
  make_parts(*this, options.decoder_layer());
}
void TransformerDecoderImpl::reset_parameters() { reset_parts<TransformerDecoderLayer>(*this); }
Tensor TransformerDecoderImpl::forward(const Operand& tgt, const Tensor& memory,
                                       const Tensor& tgt_mask, const Tensor& memory_mask,
                                       const Tensor& tgt_key_padding_mask,
                                       const Tensor& memory_key_padding_mask) const {
  Tensor x = tgt.tensor;
  for (const auto& layer : *layers.ptr()) {
    x = layer->as<TransformerDecoderLayer>()->forward(Operand(x, tgt.site), memory, tgt_mask,
                                                      memory_mask, tgt_key_padding_mask,
                                                      memory_key_padding_mask);
  }
  return norm.is_empty() ? x : norm.forward(x, tgt.site);
}
std::shared_ptr<Module> TransformerDecoderImpl::clone(const std::optional<Device>& device) const {
  return clone_as(std::make_shared<TransformerDecoderImpl>(
                      TransformerDecoderOptions(options).norm(own(options.norm()))),
                  device);
}

TransformerImpl::TransformerImpl(const TransformerOptions& given) : options(given) {
  const auto with = [&](auto layer) {
    return layer.dim_feedforward(options.dim_feedforward())
        .dropout(options.dropout())
        .activation(options.activation());
  };
  const LayerNormOptions width(std::vector<int64_t>{options.d_model()});
  encoder = options.custom_encoder();
  if (encoder.is_empty()) {
    const LayerNorm norm(width);
    encoder = TransformerEncoder(TransformerEncoderOptions(with(TransformerEncoderLayerOptions(
                                                               options.d_model(), options.nhead())),
                                                           options.num_encoder_layers())
                                     .norm(norm));
  }
  register_module("encoder", encoder.ptr());
  decoder = options.custom_decoder();
  if (decoder.is_empty()) {
    const LayerNorm norm(width);
    decoder = TransformerDecoder(TransformerDecoderOptions(with(TransformerDecoderLayerOptions(
                                                               options.d_model(), options.nhead())),
                                                           options.num_decoder_layers())
                                     .norm(norm));
  }
  register_module("decoder", decoder.ptr());
  reset_parameters();
}
void TransformerImpl::reset_parameters() {
  for (const Tensor& parameter : parameters()) {
    if (parameter.dim() > 1) init::xavier_uniform_(parameter);
  }
}

Tensor TransformerImpl::forward(const Operand& src, const Tensor& tgt, const Tensor& src_mask,
                                const Tensor& tgt_mask, const Tensor& memory_mask,
                                const Tensor& src_key_padding_mask,
                                const Tensor& tgt_key_padding_mask,
                                const Tensor& memory_key_padding_mask) const {
  constexpr const char* kName = "Transformer";
  const CallSite site = src.site;
  require_defined(src.tensor, "src", kName, site);
  require_defined(tgt, "tgt", kName, site);
  check_together(kName, site,
                 {{"src", src.tensor},
                  {"tgt", tgt},
                  {"src_mask", src_mask},
                  {"tgt_mask", tgt_mask},
                  {"memory_mask", memory_mask},
                  {"src_key_padding_mask", src_key_padding_mask},
                  {"tgt_key_padding_mask", tgt_key_padding_mask},
                  {"memory_key_padding_mask", memory_key_padding_mask}});
  check_dim(kName, site, {"src", src.tensor}, 3);
  check_dim(kName, site, {"tgt", tgt}, 3);
  if (src.tensor.size(1) != tgt.size(1) || src.tensor.size(2) != options.d_model() ||
      tgt.size(2) != options.d_model()) {
    throw ShapeError(str_cat(kName, ": src is ", src.tensor.sizes(), " and tgt ", tgt.sizes(),
                             ": they have one batch size, and ", options.d_model(), " features"),
                     site);
  }
  const Tensor memory = encoder.forward_all({src.tensor, src_mask, src_key_padding_mask}, site);
  return decoder.forward_all(
      {tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask}, site);
}

Tensor TransformerImpl::generate_square_subsequent_mask(int64_t sz, TensorOptions options,
                                                        CallSite site) {
  constexpr double kHidden = -std::numeric_limits<double>::infinity();
  return full({sz, sz}, kHidden, options, site).triu(1, site);
}
std::shared_ptr<Module> TransformerImpl::clone(const std::optional<Device>& device) const {
  return clone_as(
      std::make_shared<TransformerImpl>(TransformerOptions(options)
                                            .custom_encoder(own(options.custom_encoder()))
                                            .custom_decoder(own(options.custom_decoder()))),
      device);
}

}  // namespace tensorlib::nn
