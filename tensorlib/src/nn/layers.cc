// The layers: what they own and which operations they call.
#include <cmath>
#include <ostream>

#include "core/check.h"
#include "nn/layer.h"
#include "tensorlib/composed.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn {

void reset_uniform(const Tensor& weight, const Tensor& bias) {
  init::kaiming_uniform_(weight, std::sqrt(5.0));
  if (!bias.defined() || weight.numel() == 0) return;
  const double inputs = static_cast<double>(weight.numel() / weight.size(0));
  NoGradGuard no_grad;
  bias.uniform_(-1 / std::sqrt(inputs), 1 / std::sqrt(inputs));
}

LinearImpl::LinearImpl(const LinearOptions& options) : options(options) {
  weight = register_parameter("weight", make({options.out_features(), options.in_features()}));
  if (options.bias()) bias = register_parameter("bias", make({options.out_features()}));
  reset_parameters();
}
void LinearImpl::reset_parameters() { reset_uniform(weight, bias); }
Tensor LinearImpl::forward(const Tensor& input, CallSite site) const {
  return linear(input, weight, bias, site);
}
void LinearImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Linear(in_features=" << options.in_features()
      << ", out_features=" << options.out_features() << ", bias=" << text(options.bias()) << ")";
}

Tensor FlattenImpl::forward(const Tensor& input, CallSite site) const {
  return input.flatten(options.start_dim(), options.end_dim(), site);
}
void FlattenImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Flatten(start_dim=" << options.start_dim()
      << ", end_dim=" << options.end_dim() << ")";
}

LayerNormImpl::LayerNormImpl(const LayerNormOptions& options) : options(options) {
  if (!options.elementwise_affine()) return;
  weight = register_parameter("weight", make(options.normalized_shape()));
  bias = register_parameter("bias", make(options.normalized_shape()));
  reset_parameters();
}
void LayerNormImpl::reset_parameters() {
  if (options.elementwise_affine()) reset_scale_and_shift(weight, bias);
}
Tensor LayerNormImpl::forward(const Tensor& input, CallSite site) const {
  return layer_norm(input, options.normalized_shape(), weight, bias, options.eps(), true, site);
}
void LayerNormImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::LayerNorm(" << IntArrayRef(options.normalized_shape())
      << ", eps=" << options.eps() << ", elementwise_affine=" << text(options.elementwise_affine())
      << ")";
}

EmbeddingImpl::EmbeddingImpl(const EmbeddingOptions& given) : options(given) {
  const int64_t rows = options.num_embeddings();
  if (const auto padding = options.padding_idx()) {
    if (*padding < -rows || *padding >= rows) {
      throw IndexError(str_cat("Embedding: padding_idx ", *padding, " of ", rows, " embeddings"),
                       CallSite::none());
    }
    if (*padding < 0) options.padding_idx(*padding + rows);
  }
  weight = register_parameter("weight", make({rows, options.embedding_dim()}));
  reset_parameters();
}
void EmbeddingImpl::reset_parameters() {
  NoGradGuard no_grad;
  weight.normal_();
  if (const auto padding = options.padding_idx()) weight.select(0, *padding).zero_();
}
Tensor EmbeddingImpl::forward(const Tensor& indices, CallSite site) const {
  return embedding(weight, indices, options.padding_idx().value_or(-1), false, false, site);
}
void EmbeddingImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Embedding(num_embeddings=" << options.num_embeddings()
      << ", embedding_dim=" << options.embedding_dim();
  if (const auto padding = options.padding_idx()) out << ", padding_idx=" << *padding;
  out << ")";
}

BatchNormImplBase::BatchNormImplBase(const BatchNormOptions& options, int64_t least_dims,
                                     int64_t most_dims)
    : options(options), least_dims_(least_dims), most_dims_(most_dims) {}
void BatchNormImplBase::make_tensors() { make_norm_tensors(*this); }
void BatchNormImplBase::reset_running_stats() { reset_norm_statistics(*this); }
void BatchNormImplBase::reset_parameters() {
  reset_norm_statistics(*this);
  if (options.affine()) reset_scale_and_shift(weight, bias);
}
Tensor BatchNormImplBase::forward(const Tensor& input, CallSite site) {
  if (input.defined() && (input.dim() < least_dims_ || input.dim() > most_dims_)) {
    throw ShapeError(str_cat(short_name(*this), ": the input must have ", least_dims_,
                             least_dims_ == most_dims_ ? "" : str_cat(" to ", most_dims_),
                             " dimensions, and its shape is ", input.sizes()),
                     site);
  }
  const bool batch_stats = is_training() || !options.track_running_stats();
  Tensor output = batch_norm(input, weight, bias, running_mean, running_var, batch_stats,
                             options.momentum(), options.eps(), site);
  if (is_training() && num_batches_tracked.defined()) num_batches_tracked.add_(1, 1, site);
  return output;
}
void BatchNormImplBase::pretty_print(std::ostream& out) const { print_norm(*this, out); }
BatchNorm1dImpl::BatchNorm1dImpl(const BatchNormOptions& options)
    : BatchNormImplBase(options, 2, 3) {
  make_tensors();
}
BatchNorm2dImpl::BatchNorm2dImpl(const BatchNormOptions& options)
    : BatchNormImplBase(options, 4, 4) {
  make_tensors();
}

Tensor ReLUImpl::forward(Tensor input, CallSite site) const {
  return options.inplace() ? input.relu_(site) : input.relu(site);
}
void ReLUImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::ReLU(" << (options.inplace() ? "inplace=true" : "") << ")";
}
Tensor LeakyReLUImpl::forward(Tensor input, CallSite site) const {
  Tensor result = leaky_relu(input, options.negative_slope(), site);
  return options.inplace() ? input.copy_(result, false, site) : result;
}
void LeakyReLUImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::LeakyReLU(negative_slope=" << options.negative_slope()
      << (options.inplace() ? ", inplace=true" : "") << ")";
}

#define TENSORLIB_PLAIN_LAYER(Name, call)                                               \
  Tensor Name##Impl::forward(const Tensor& input, CallSite site) const { return call; } \
  void Name##Impl::pretty_print(std::ostream& out) const { out << "tensorlib::nn::" #Name "()"; }
TENSORLIB_PLAIN_LAYER(Sigmoid, input.sigmoid(site))
TENSORLIB_PLAIN_LAYER(Tanh, input.tanh(site))
TENSORLIB_PLAIN_LAYER(GELU, gelu(input, options.approximate(), site))
TENSORLIB_PLAIN_LAYER(SiLU, silu(input, site))
#undef TENSORLIB_PLAIN_LAYER
void IdentityImpl::pretty_print(std::ostream& out) const { out << "tensorlib::nn::Identity()"; }

#define TENSORLIB_LAYER_ALONG(Name, function)                            \
  Tensor Name##Impl::forward(const Tensor& input, CallSite site) const { \
    return input.function(options.dim(), site);                          \
  }                                                                      \
  void Name##Impl::pretty_print(std::ostream& out) const {               \
    out << "tensorlib::nn::" #Name "(dim=" << options.dim() << ")";      \
  }
TENSORLIB_LAYER_ALONG(Softmax, softmax)
TENSORLIB_LAYER_ALONG(LogSoftmax, log_softmax)
#undef TENSORLIB_LAYER_ALONG

Tensor DropoutImpl::forward(Tensor input, CallSite site) const {
  return given_back(input, dropout(input, options.p(), is_training(), site), options.inplace(),
                    site);
}
void DropoutImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Dropout(p=" << options.p() << ", inplace=" << text(options.inplace())
      << ")";
}

Tensor Dropout2dImpl::forward(Tensor input, CallSite site) const {
  return given_back(input, feature_dropout(input, options.p(), is_training(), site),
                    options.inplace(), site);
}
void Dropout2dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Dropout2d(p=" << options.p() << ", inplace=" << text(options.inplace())
      << ")";
}

}  // namespace tensorlib::nn
