// torch::nn::functional: the layers' functions, with their options.
#pragma once

#include "tensorlib/nn/modules/activation.h"
#include "tensorlib/nn/modules/conv.h"
#include "tensorlib/nn/modules/embedding.h"
#include "tensorlib/nn/modules/layernorm.h"
#include "tensorlib/nn/modules/loss.h"
#include "tensorlib/nn/modules/pooling.h"
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

#define TENSORLIB_LOSS(name, Options, ...)                                                     \
  TENSORLIB_PURE inline Tensor name(const Tensor& input, const Tensor& target,                 \
                                    const Options& o = {}, TENSORLIB_SITE) {                   \
    return tensorlib::__VA_ARGS__;                                                             \
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
