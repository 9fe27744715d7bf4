// The layers: what they own and which operations they call.
#include <cmath>
#include <ostream>

#include "core/check.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/nn.h"

namespace tensorlib::nn {

namespace {

// A layer's parameters and buffers: made by the library, so that no line of the user's is known for
// them.
Tensor make(IntArrayRef sizes, ScalarType type = kFloat) {
  return empty(sizes, type, CallSite::none());
}

const char* text(bool value) { return value ? "true" : "false"; }

// Both of a layer's parameters as PyTorch makes them: uniform within 1/sqrt(inputs of a unit).
void reset_uniform(const Tensor& weight, const Tensor& bias) {
  init::kaiming_uniform_(weight, std::sqrt(5.0));
  if (!bias.defined() || weight.numel() == 0) return;
  const double inputs = static_cast<double>(weight.numel() / weight.size(0));
  NoGradGuard no_grad;
  bias.uniform_(-1 / std::sqrt(inputs), 1 / std::sqrt(inputs));
}

template <class Options>
void check_groups(const char* name, const Options& options) {
  if (options.groups() >= 1 && options.in_channels() % options.groups() == 0 &&
      options.out_channels() % options.groups() == 0) {
    return;
  }
  throw ShapeError(str_cat(name, ": ", options.in_channels(), " and ", options.out_channels(),
                           " channels cannot be split into ", options.groups(), " groups"),
                   CallSite::none());
}

// Whether all numbers are `value`.
template <class Numbers>
bool all_are(const Numbers& numbers, int64_t value) {
  for (const int64_t number : IntArrayRef(numbers)) {
    if (number != value) return false;
  }
  return true;
}

template <class Options>
void print_convolution(std::ostream& out, const char* name, const Options& options) {
  out << "tensorlib::nn::" << name << "(" << options.in_channels() << ", "
      << options.out_channels() << ", kernel_size=" << options.kernel_size()
      << ", stride=" << options.stride();
  if (!all_are(options.padding(), 0)) out << ", padding=" << options.padding();
  if (!all_are(options.dilation(), 1)) out << ", dilation=" << options.dilation();
  if (options.groups() != 1) out << ", groups=" << options.groups();
  if (!options.bias()) out << ", bias=false";
}

}  // namespace

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
  if (!options.elementwise_affine()) return;
  NoGradGuard no_grad;
  weight.fill_(1);
  bias.zero_();
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

Conv1dImpl::Conv1dImpl(const Conv1dOptions& options) : options(options) {
  check_groups("Conv1d", options);
  weight = register_parameter(
      "weight", make({options.out_channels(), options.in_channels() / options.groups(),
                      options.kernel_size()[0]}));
  if (options.bias()) bias = register_parameter("bias", make({options.out_channels()}));
  reset_parameters();
}
void Conv1dImpl::reset_parameters() { reset_uniform(weight, bias); }
Tensor Conv1dImpl::forward(const Tensor& input, CallSite site) const {
  return conv1d(input, weight, bias, options.stride(), options.padding(), options.dilation(),
                options.groups(), site);
}
void Conv1dImpl::pretty_print(std::ostream& out) const {
  print_convolution(out, "Conv1d", options);
  out << ")";
}

Conv2dImpl::Conv2dImpl(const Conv2dOptions& options) : options(options) {
  check_groups("Conv2d", options);
  weight = register_parameter(
      "weight", make({options.out_channels(), options.in_channels() / options.groups(),
                      options.kernel_size()[0], options.kernel_size()[1]}));
  if (options.bias()) bias = register_parameter("bias", make({options.out_channels()}));
  reset_parameters();
}
void Conv2dImpl::reset_parameters() { reset_uniform(weight, bias); }
Tensor Conv2dImpl::forward(const Tensor& input, CallSite site) const {
  return conv2d(input, weight, bias, options.stride(), options.padding(), options.dilation(),
                options.groups(), site);
}
void Conv2dImpl::pretty_print(std::ostream& out) const {
  print_convolution(out, "Conv2d", options);
  out << ")";
}

ConvTranspose2dImpl::ConvTranspose2dImpl(const ConvTranspose2dOptions& options)
    : options(options) {
  check_groups("ConvTranspose2d", options);
  weight = register_parameter(
      "weight", make({options.in_channels(), options.out_channels() / options.groups(),
                      options.kernel_size()[0], options.kernel_size()[1]}));
  if (options.bias()) bias = register_parameter("bias", make({options.out_channels()}));
  reset_parameters();
}
void ConvTranspose2dImpl::reset_parameters() { reset_uniform(weight, bias); }
Tensor ConvTranspose2dImpl::forward(const Tensor& input, CallSite site) const {
  return conv_transpose2d(input, weight, bias, options.stride(), options.padding(),
                          options.output_padding(), options.groups(), options.dilation(), site);
}
void ConvTranspose2dImpl::pretty_print(std::ostream& out) const {
  print_convolution(out, "ConvTranspose2d", options);
  if (!all_are(options.output_padding(), 0)) {
    out << ", output_padding=" << options.output_padding();
  }
  out << ")";
}

BatchNormImplBase::BatchNormImplBase(const BatchNormOptions& options, const char* name,
                                     int64_t least_dims, int64_t most_dims)
    : Module(name), options(options), least_dims_(least_dims), most_dims_(most_dims) {
  const int64_t features = options.num_features();
  if (options.affine()) {
    weight = register_parameter("weight", make({features}));
    bias = register_parameter("bias", make({features}));
  }
  if (options.track_running_stats()) {
    running_mean = register_buffer("running_mean", make({features}));
    running_var = register_buffer("running_var", make({features}));
    num_batches_tracked = register_buffer("num_batches_tracked", make({}, kLong));
  }
  reset_parameters();
}
void BatchNormImplBase::reset_running_stats() {
  if (!options.track_running_stats()) return;
  NoGradGuard no_grad;
  running_mean.zero_();
  running_var.fill_(1);
  num_batches_tracked.zero_();
}
void BatchNormImplBase::reset_parameters() {
  reset_running_stats();
  if (!options.affine()) return;
  NoGradGuard no_grad;
  weight.fill_(1);
  bias.zero_();
}
Tensor BatchNormImplBase::forward(const Tensor& input, CallSite site) {
  if (input.defined() && (input.dim() < least_dims_ || input.dim() > most_dims_)) {
    throw ShapeError(str_cat(name(), ": the input must have ", least_dims_,
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
void BatchNormImplBase::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::" << name() << "(" << options.num_features() << ", eps=" << options.eps()
      << ", momentum=" << options.momentum() << ", affine=" << text(options.affine())
      << ", track_running_stats=" << text(options.track_running_stats()) << ")";
}
BatchNorm1dImpl::BatchNorm1dImpl(const BatchNormOptions& options)
    : BatchNormImplBase(options, "BatchNorm1d", 2, 3) {}
BatchNorm2dImpl::BatchNorm2dImpl(const BatchNormOptions& options)
    : BatchNormImplBase(options, "BatchNorm2d", 4, 4) {}

Tensor MaxPool2dImpl::forward(const Tensor& input, CallSite site) const {
  return max_pool2d(input, options.kernel_size(), options.stride(), options.padding(),
                    options.dilation(), options.ceil_mode(), site);
}
void MaxPool2dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::MaxPool2d(kernel_size=" << options.kernel_size()
      << ", stride=" << options.stride() << ", padding=" << options.padding()
      << ", dilation=" << options.dilation() << ", ceil_mode=" << text(options.ceil_mode()) << ")";
}

Tensor AvgPool2dImpl::forward(const Tensor& input, CallSite site) const {
  return avg_pool2d(input, options.kernel_size(), options.stride(), options.padding(),
                    options.ceil_mode(), options.count_include_pad(), site);
}
void AvgPool2dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::AvgPool2d(kernel_size=" << options.kernel_size()
      << ", stride=" << options.stride() << ", padding=" << options.padding() << ")";
}

Tensor AdaptiveAvgPool2dImpl::forward(const Tensor& input, CallSite site) const {
  return adaptive_avg_pool2d(input, options.output_size(), site);
}
void AdaptiveAvgPool2dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::AdaptiveAvgPool2d(output_size=" << options.output_size() << ")";
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
Tensor SigmoidImpl::forward(const Tensor& input, CallSite site) const {
  return input.sigmoid(site);
}
Tensor TanhImpl::forward(const Tensor& input, CallSite site) const { return input.tanh(site); }
Tensor SoftmaxImpl::forward(const Tensor& input, CallSite site) const {
  return input.softmax(options.dim(), site);
}
Tensor LogSoftmaxImpl::forward(const Tensor& input, CallSite site) const {
  return input.log_softmax(options.dim(), site);
}
Tensor DropoutImpl::forward(const Tensor& input, CallSite site) const {
  return dropout(input, options.p(), is_training(), site);
}
void DropoutImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Dropout(p=" << options.p() << ")";
}

Tensor Dropout2dImpl::forward(const Tensor& input, CallSite site) const {
  return feature_dropout(input, options.p(), is_training(), site);
}
void Dropout2dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Dropout2d(p=" << options.p() << ")";
}

Tensor SequentialImpl::forward(const Tensor& input, CallSite site) const {
  if (calls_.empty()) throw Error("Sequential: there is no module in it", site);
  Tensor value = input;
  for (const auto& call : calls_) value = call(value, site);
  return value;
}
void SequentialImpl::pretty_print(std::ostream& out) const { out << "tensorlib::nn::Sequential"; }

}  // namespace tensorlib::nn
