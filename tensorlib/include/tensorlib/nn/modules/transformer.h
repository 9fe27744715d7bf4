// TransformerEncoder, TransformerDecoder and Transformer: layers of transformer_layer.h one after
// the other. Shapes and masks are those of the layers.
#pragma once

#include <cstdint>
#include <utility>

#include "tensorlib/nn/modules/any.h"
#include "tensorlib/nn/modules/module_list.h"
#include "tensorlib/nn/modules/transformer_layer.h"
#include "tensorlib/tensor_options.h"

namespace tensorlib::nn {

// The layers are copies of the one that is given. A norm, where there is one, works on what the
// last layer gives.
struct TransformerEncoderOptions {
  TransformerEncoderOptions(TransformerEncoderLayer encoder_layer, int64_t num_layers)
      : encoder_layer_(std::move(encoder_layer)), num_layers_(num_layers) {}
  TransformerEncoderOptions(const TransformerEncoderLayerOptions& layer, int64_t num_layers)
      : TransformerEncoderOptions(TransformerEncoderLayer(layer), num_layers) {}
  TENSORLIB_OPTION(TransformerEncoderLayer, encoder_layer);
  TENSORLIB_OPTION(int64_t, num_layers);
  TENSORLIB_OPTION(AnyModule, norm);
};
struct TransformerDecoderOptions {
  TransformerDecoderOptions(TransformerDecoderLayer decoder_layer, int64_t num_layers)
      : decoder_layer_(std::move(decoder_layer)), num_layers_(num_layers) {}
  TransformerDecoderOptions(const TransformerDecoderLayerOptions& layer, int64_t num_layers)
      : TransformerDecoderOptions(TransformerDecoderLayer(layer), num_layers) {}
  TENSORLIB_OPTION(TransformerDecoderLayer, decoder_layer);
  TENSORLIB_OPTION(int64_t, num_layers);
  TENSORLIB_OPTION(AnyModule, norm);
};

class TENSORLIB_API TransformerEncoderImpl : public Module {
 public:
  using ForwardOperand = Operand;

  TransformerEncoderImpl(TransformerEncoderLayer encoder_layer, int64_t num_layers)
      : TransformerEncoderImpl(TransformerEncoderOptions(std::move(encoder_layer), num_layers)) {}
  explicit TransformerEncoderImpl(const TransformerEncoderOptions& options);
  TENSORLIB_PURE Tensor forward(const Operand& src, const Tensor& src_mask = {},
                                const Tensor& src_key_padding_mask = {}) const;
  void reset_parameters();
  TENSORLIB_CLONE;

  TransformerEncoderOptions options;
  ModuleList layers;
  AnyModule norm;
};
TENSORLIB_MODULE(TransformerEncoder);

class TENSORLIB_API TransformerDecoderImpl : public Module {
 public:
  using ForwardOperand = Operand;

  TransformerDecoderImpl(TransformerDecoderLayer decoder_layer, int64_t num_layers)
      : TransformerDecoderImpl(TransformerDecoderOptions(std::move(decoder_layer), num_layers)) {}
  explicit TransformerDecoderImpl(const TransformerDecoderOptions& options);
  TENSORLIB_PURE Tensor forward(const Operand& tgt, const Tensor& memory,
                                const Tensor& tgt_mask = {}, const Tensor& memory_mask = {},
                                const Tensor& tgt_key_padding_mask = {},
                                const Tensor& memory_key_padding_mask = {}) const;
  void reset_parameters();
  TENSORLIB_CLONE;

  TransformerDecoderOptions options;
  ModuleList layers;
  AnyModule norm;
};
TENSORLIB_MODULE(TransformerDecoder);

struct TransformerOptions {
  TransformerOptions() = default;
  TransformerOptions(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  TransformerOptions(int64_t d_model, int64_t nhead, int64_t num_encoder_layers,
                     int64_t num_decoder_layers)
      : d_model_(d_model),
        nhead_(nhead),
        num_encoder_layers_(num_encoder_layers),
        num_decoder_layers_(num_decoder_layers) {}
  TENSORLIB_OPTION(int64_t, d_model) = 512;
  TENSORLIB_OPTION(int64_t, nhead) = 8;
  TENSORLIB_OPTION(int64_t, num_encoder_layers) = 6;
  TENSORLIB_OPTION(int64_t, num_decoder_layers) = 6;
  TENSORLIB_OPTION(int64_t, dim_feedforward) = 2048;
  TENSORLIB_OPTION(double, dropout) = 0.1;
  TENSORLIB_OPTION(TransformerActivation, activation) = kReLU;
  // In the place of the encoder and the decoder: modules whose forward takes the same tensors.
  TENSORLIB_OPTION(AnyModule, custom_encoder);
  TENSORLIB_OPTION(AnyModule, custom_decoder);
};

class TENSORLIB_API TransformerImpl : public Module {
 public:
  using ForwardOperand = Operand;

  explicit TransformerImpl(const TransformerOptions& options = {});
  // src [S, batch, d_model] and tgt [T, batch, d_model] to [T, batch, d_model].
  TENSORLIB_PURE Tensor forward(const Operand& src, const Tensor& tgt, const Tensor& src_mask = {},
                                const Tensor& tgt_mask = {}, const Tensor& memory_mask = {},
                                const Tensor& src_key_padding_mask = {},
                                const Tensor& tgt_key_padding_mask = {},
                                const Tensor& memory_key_padding_mask = {}) const;
  void reset_parameters();
  // float [sz, sz]: -inf where a later step stands, 0 elsewhere. Where the options say: LibTorch's
  // is on the CPU, and moved in each forward; give the model's device here, once.
  TENSORLIB_PURE static Tensor generate_square_subsequent_mask(int64_t sz,
                                                               TensorOptions options = {},
                                                               CallSite site = CallSite::current());
  TENSORLIB_CLONE;

  TransformerOptions options;
  AnyModule encoder, decoder;
};
TENSORLIB_MODULE(Transformer);

}  // namespace tensorlib::nn
