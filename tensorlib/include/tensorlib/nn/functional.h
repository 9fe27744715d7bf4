// torch::nn::functional: the layers' functions, with their options.
#pragma once

#include "tensorlib/composed.h"
#include "tensorlib/nn/modules/activation.h"
#include "tensorlib/nn/modules/attention.h"
#include "tensorlib/nn/modules/conv.h"
#include "tensorlib/nn/modules/embedding.h"
#include "tensorlib/nn/modules/groupnorm.h"
#include "tensorlib/nn/modules/layernorm.h"
#include "tensorlib/nn/modules/loss.h"
#include "tensorlib/nn/modules/pooling.h"
#include "tensorlib/nn/modules/resample.h"
#include "tensorlib/ops.h"

namespace tensorlib::nn::functional {

template <size_t D>
struct ConvFuncOptions {
  TENSORLIB_OPTION(Tensor, bias);
  TENSORLIB_CONV_OPTIONS(D);
};
using Conv1dFuncOptions = ConvFuncOptions<1>;
using Conv2dFuncOptions = ConvFuncOptions<2>;
struct EmbeddingFuncOptions {
  TENSORLIB_OPTION(std::optional<int64_t>, padding_idx) = std::nullopt;
};
struct LayerNormFuncOptions {
  LayerNormFuncOptions(std::vector<int64_t> normalized_shape)
      : normalized_shape_(std::move(normalized_shape)) {}
  TENSORLIB_OPTION(std::vector<int64_t>, normalized_shape);
  TENSORLIB_OPTION(Tensor, weight);
  TENSORLIB_OPTION(Tensor, bias);
  TENSORLIB_OPTION(double, eps) = 1e-5;
};
struct ConvTranspose2dFuncOptions {
  TENSORLIB_OPTION(Tensor, bias);
  TENSORLIB_OPTION(ExpandingArray<2>, output_padding) = 0;
  TENSORLIB_CONV_OPTIONS(2);
};
struct DropoutFuncOptions {
  TENSORLIB_OPTION(double, p) = 0.5;
  TENSORLIB_OPTION(bool, training) = false;
};
using Dropout2dFuncOptions = DropoutFuncOptions;
struct PadFuncOptions {
  PadFuncOptions(std::vector<int64_t> pad) : pad_(std::move(pad)) {}
  TENSORLIB_OPTION(std::vector<int64_t>, pad);
  TENSORLIB_OPTION(PadMode, mode) = kConstant;
  TENSORLIB_OPTION(double, value) = 0;
};
struct InterpolateFuncOptions {
  TENSORLIB_OPTION(std::optional<std::vector<int64_t>>, size) = std::nullopt;
  TENSORLIB_OPTION(std::optional<std::vector<double>>, scale_factor) = std::nullopt;
  TENSORLIB_OPTION(InterpolateMode, mode) = kNearest;
  TENSORLIB_OPTION(std::optional<bool>, align_corners) = std::nullopt;
  TENSORLIB_OPTION(std::optional<bool>, recompute_scale_factor) = std::nullopt;
};
struct NormalizeFuncOptions {
  TENSORLIB_OPTION(double, p) = 2;
  TENSORLIB_OPTION(int64_t, dim) = 1;
  TENSORLIB_OPTION(double, eps) = 1e-12;
};
struct GroupNormFuncOptions {
  GroupNormFuncOptions(int64_t num_groups) : num_groups_(num_groups) {}
  TENSORLIB_OPTION(int64_t, num_groups);
  TENSORLIB_OPTION(Tensor, weight);
  TENSORLIB_OPTION(Tensor, bias);
  TENSORLIB_OPTION(double, eps) = 1e-5;
};
struct BatchNormFuncOptions {
  TENSORLIB_OPTION(Tensor, weight);
  TENSORLIB_OPTION(Tensor, bias);
  TENSORLIB_OPTION(bool, training) = false;
  TENSORLIB_OPTION(double, momentum) = 0.1;
  TENSORLIB_OPTION(double, eps) = 1e-5;
};
using GELUFuncOptions = GELUOptions;
using ELUFuncOptions = ELUOptions;
using SoftplusFuncOptions = SoftplusOptions;
using HardtanhFuncOptions = HardtanhOptions;
using GLUFuncOptions = GLUOptions;
using MaxPool1dFuncOptions = MaxPool1dOptions;
using AvgPool1dFuncOptions = AvgPool1dOptions;
using AdaptiveAvgPool1dFuncOptions = AdaptiveAvgPool1dOptions;
using AdaptiveMaxPool2dFuncOptions = AdaptiveMaxPool2dOptions;
using PixelShuffleFuncOptions = PixelShuffleOptions;
using LocalResponseNormFuncOptions = LocalResponseNormOptions;
using CosineSimilarityFuncOptions = CosineSimilarityOptions;
using ReLUFuncOptions = ReLUOptions;
using LeakyReLUFuncOptions = LeakyReLUOptions;
using SoftmaxFuncOptions = SoftmaxOptions;
using LogSoftmaxFuncOptions = SoftmaxOptions;
using MaxPool2dFuncOptions = MaxPool2dOptions;
using AvgPool2dFuncOptions = AvgPool2dOptions;
using AdaptiveAvgPool2dFuncOptions = AdaptiveAvgPool2dOptions;
using MSELossFuncOptions = MSELossOptions;
using L1LossFuncOptions = L1LossOptions;
using SmoothL1LossFuncOptions = SmoothL1LossOptions;
using HuberLossFuncOptions = HuberLossOptions;
using KLDivFuncOptions = KLDivLossOptions;
using NLLLossFuncOptions = NLLLossOptions;
using CrossEntropyFuncOptions = CrossEntropyLossOptions;
using BinaryCrossEntropyFuncOptions = BCELossOptions;
using BinaryCrossEntropyWithLogitsFuncOptions = BCEWithLogitsLossOptions;

using tensorlib::linear;

#define TENSORLIB_SITE CallSite site = CallSite::current()
TENSORLIB_PURE inline Tensor conv1d(const Tensor& input, const Tensor& weight,
                                    const Conv1dFuncOptions& o = {}, TENSORLIB_SITE) {
  return tensorlib::conv1d(input, weight, o.bias(), o.stride(), o.padding(), o.dilation(),
                           o.groups(), site);
}
// Of int32 or int64 places in the rows of weight; a negative padding_idx counts from the end.
TENSORLIB_PURE inline Tensor embedding(const Tensor& input, const Tensor& weight,
                                       const EmbeddingFuncOptions& o = {}, TENSORLIB_SITE) {
  int64_t padding = o.padding_idx().value_or(-1);
  if (o.padding_idx() && padding < 0) padding += weight.size(0, site);
  return tensorlib::embedding(weight, input, padding, false, false, site);
}
TENSORLIB_PURE inline Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& o,
                                        TENSORLIB_SITE) {
  return tensorlib::layer_norm(input, o.normalized_shape(), o.weight(), o.bias(), o.eps(), true,
                               site);
}
TENSORLIB_PURE inline Tensor conv2d(const Tensor& input, const Tensor& weight,
                                    const Conv2dFuncOptions& o = {}, TENSORLIB_SITE) {
  return tensorlib::conv2d(input, weight, o.bias(), o.stride(), o.padding(), o.dilation(),
                           o.groups(), site);
}
TENSORLIB_PURE inline Tensor conv_transpose2d(const Tensor& input, const Tensor& weight,
                                              const ConvTranspose2dFuncOptions& o = {},
                                              TENSORLIB_SITE) {
  return tensorlib::conv_transpose2d(input, weight, o.bias(), o.stride(), o.padding(),
                                     o.output_padding(), o.groups(), o.dilation(), site);
}
TENSORLIB_PURE inline Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& o,
                                        TENSORLIB_SITE) {
  return tensorlib::max_pool2d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(),
                               o.ceil_mode(), site);
}
TENSORLIB_PURE inline Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& o,
                                        TENSORLIB_SITE) {
  return tensorlib::avg_pool2d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(),
                               o.count_include_pad(), site);
}
TENSORLIB_PURE inline Tensor adaptive_avg_pool2d(const Tensor& input,
                                                 const AdaptiveAvgPool2dFuncOptions& o,
                                                 TENSORLIB_SITE) {
  return tensorlib::adaptive_avg_pool2d(input, o.output_size(), site);
}
// The input itself is changed with inplace, and then the result may be dropped.
inline Tensor relu(const Tensor& input, const ReLUFuncOptions& o = {}, TENSORLIB_SITE) {
  return o.inplace() ? input.relu_(site) : input.relu(site);
}
TENSORLIB_PURE inline Tensor leaky_relu(const Tensor& input, const LeakyReLUFuncOptions& o = {},
                                        TENSORLIB_SITE) {
  return LeakyReLUImpl(o).forward(input, site);
}
TENSORLIB_PURE inline Tensor gelu(const Tensor& input, TENSORLIB_SITE) {
  return tensorlib::gelu(input, site);
}
TENSORLIB_PURE inline Tensor gelu(const Tensor& input, const GELUFuncOptions& o, TENSORLIB_SITE) {
  return tensorlib::gelu(input, o.approximate(), site);
}
// The input itself is changed with inplace, and then the result may be dropped.
inline Tensor elu(const Tensor& input, const ELUFuncOptions& o = {}, TENSORLIB_SITE) {
  return ELUImpl(o).forward(input, site);
}
inline Tensor selu(const Tensor& input, const SELUOptions& o = {}, TENSORLIB_SITE) {
  return SELUImpl(o).forward(input, site);
}
inline Tensor relu6(const Tensor& input, const ReLU6Options& o = {}, TENSORLIB_SITE) {
  return ReLU6Impl(o).forward(input, site);
}
inline Tensor hardtanh(const Tensor& input, const HardtanhFuncOptions& o = {}, TENSORLIB_SITE) {
  return HardtanhImpl(o).forward(input, site);
}
TENSORLIB_PURE inline Tensor softplus(const Tensor& input, const SoftplusFuncOptions& o = {},
                                      TENSORLIB_SITE) {
  return tensorlib::softplus(input, o.beta(), o.threshold(), site);
}
TENSORLIB_PURE inline Tensor prelu(const Tensor& input, const Tensor& weight, TENSORLIB_SITE) {
  return tensorlib::prelu(input, weight, site);
}
TENSORLIB_PURE inline Tensor logsigmoid(const Tensor& input, TENSORLIB_SITE) {
  return tensorlib::log_sigmoid(input, site);
}
TENSORLIB_PURE inline Tensor mish(const Tensor& input, TENSORLIB_SITE) {
  return tensorlib::mish(input, site);
}
TENSORLIB_PURE inline Tensor glu(const Tensor& input, const GLUFuncOptions& o = {},
                                 TENSORLIB_SITE) {
  return tensorlib::glu(input, o.dim(), site);
}
TENSORLIB_PURE inline Tensor pad(const Tensor& input, const PadFuncOptions& o, TENSORLIB_SITE) {
  return tensorlib::pad(input, o.pad(), o.mode(), o.value(), site);
}
TENSORLIB_PURE inline Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& o = {},
                                         TENSORLIB_SITE) {
  return tensorlib::interpolate(input, o.size(), o.scale_factor(), o.mode(), o.align_corners(),
                                o.recompute_scale_factor(), site);
}
// Over its norm along a dimension, which counts as eps at the least.
TENSORLIB_PURE inline Tensor normalize(const Tensor& input, const NormalizeFuncOptions& o = {},
                                       TENSORLIB_SITE) {
  return input.div(input.norm(o.p(), o.dim(), true, site).clamp_min(o.eps(), site), site);
}
TENSORLIB_PURE inline Tensor cosine_similarity(const Tensor& x1, const Tensor& x2,
                                               const CosineSimilarityFuncOptions& o = {},
                                               TENSORLIB_SITE) {
  return tensorlib::cosine_similarity(x1, x2, o.dim(), o.eps(), site);
}
TENSORLIB_PURE inline Tensor group_norm(const Tensor& input, const GroupNormFuncOptions& o,
                                        TENSORLIB_SITE) {
  return tensorlib::group_norm(input, o.num_groups(), o.weight(), o.bias(), o.eps(), true, site);
}
// In training this changes the running statistics, where they are defined.
TENSORLIB_PURE inline Tensor batch_norm(const Tensor& input, const Tensor& running_mean,
                                        const Tensor& running_var,
                                        const BatchNormFuncOptions& o = {}, TENSORLIB_SITE) {
  return tensorlib::batch_norm(input, o.weight(), o.bias(), running_mean, running_var, o.training(),
                               o.momentum(), o.eps(), site);
}
TENSORLIB_PURE inline Tensor local_response_norm(const Tensor& input,
                                                 const LocalResponseNormFuncOptions& o,
                                                 TENSORLIB_SITE) {
  return LocalResponseNormImpl(o).forward(input, site);
}
TENSORLIB_PURE inline Tensor max_pool1d(const Tensor& input, const MaxPool1dFuncOptions& o,
                                        TENSORLIB_SITE) {
  return MaxPool1dImpl(o).forward(input, site);
}
TENSORLIB_PURE inline Tensor avg_pool1d(const Tensor& input, const AvgPool1dFuncOptions& o,
                                        TENSORLIB_SITE) {
  return AvgPool1dImpl(o).forward(input, site);
}
TENSORLIB_PURE inline Tensor adaptive_avg_pool1d(const Tensor& input,
                                                 const AdaptiveAvgPool1dFuncOptions& o,
                                                 TENSORLIB_SITE) {
  return AdaptiveAvgPool1dImpl(o).forward(input, site);
}
TENSORLIB_PURE inline Tensor adaptive_max_pool2d(const Tensor& input,
                                                 const AdaptiveMaxPool2dFuncOptions& o,
                                                 TENSORLIB_SITE) {
  return AdaptiveMaxPool2dImpl(o).forward(input, site);
}
TENSORLIB_PURE inline Tensor pixel_shuffle(const Tensor& input, const PixelShuffleFuncOptions& o,
                                           TENSORLIB_SITE) {
  return tensorlib::pixel_shuffle(input, o.upscale_factor(), site);
}
TENSORLIB_PURE inline Tensor silu(const Tensor& input, TENSORLIB_SITE) {
  return tensorlib::silu(input, site);
}
TENSORLIB_PURE inline Tensor one_hot(const Tensor& input, int64_t num_classes = -1,
                                     TENSORLIB_SITE) {
  return tensorlib::one_hot(input, num_classes, site);
}
TENSORLIB_PURE inline Tensor dropout(const Tensor& input, const DropoutFuncOptions& o = {},
                                     TENSORLIB_SITE) {
  return tensorlib::dropout(input, o.p(), o.training(), site);
}
TENSORLIB_PURE inline Tensor dropout2d(const Tensor& input, const Dropout2dFuncOptions& o = {},
                                       TENSORLIB_SITE) {
  return tensorlib::feature_dropout(input, o.p(), o.training(), site);
}
TENSORLIB_PURE inline Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& o,
                                     TENSORLIB_SITE) {
  return input.softmax(o.dim(), site);
}
TENSORLIB_PURE inline Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& o,
                                         TENSORLIB_SITE) {
  return input.log_softmax(o.dim(), site);
}

#define TENSORLIB_LOSS(name, Options, ...)                                     \
  TENSORLIB_PURE inline Tensor name(const Tensor& input, const Tensor& target, \
                                    const Options& o = {}, TENSORLIB_SITE) {   \
    return tensorlib::__VA_ARGS__;                                             \
  }
TENSORLIB_LOSS(mse_loss, MSELossFuncOptions, mse_loss(input, target, o.reduction(), site))
TENSORLIB_LOSS(l1_loss, L1LossFuncOptions, l1_loss(input, target, o.reduction(), site))
TENSORLIB_LOSS(smooth_l1_loss, SmoothL1LossFuncOptions,
               smooth_l1_loss(input, target, o.reduction(), o.beta(), site))
TENSORLIB_LOSS(huber_loss, HuberLossFuncOptions,
               huber_loss(input, target, o.reduction(), o.delta(), site))
TENSORLIB_LOSS(kl_div, KLDivFuncOptions, kl_div(input, target, o.reduction(), o.log_target(), site))
TENSORLIB_LOSS(nll_loss, NLLLossFuncOptions,
               nll_loss(input, target, o.weight(), o.reduction(), o.ignore_index(), site))
TENSORLIB_LOSS(cross_entropy, CrossEntropyFuncOptions,
               cross_entropy_loss(input, target, o.weight(), o.reduction(), o.ignore_index(),
                                  o.label_smoothing(), site))
TENSORLIB_LOSS(binary_cross_entropy, BinaryCrossEntropyFuncOptions,
               binary_cross_entropy(input, target, o.weight(), o.reduction(), site))
TENSORLIB_LOSS(binary_cross_entropy_with_logits, BinaryCrossEntropyWithLogitsFuncOptions,
               binary_cross_entropy_with_logits(input, target, o.weight(), o.pos_weight(),
                                                o.reduction(), site))
#undef TENSORLIB_LOSS
#undef TENSORLIB_SITE

}  // namespace tensorlib::nn::functional
