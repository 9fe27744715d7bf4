// Layers whose functions are made of other operations: activations, borders, sizes, normalisation
// within an example, windows of one dimension.
#include <ostream>

#include "core/check.h"
#include "nn/layer.h"
#include "tensorlib/composed.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn {

namespace {

const char* text(bool value) { return value ? "true" : "false"; }

// The input itself, changed, where that is asked for.
Tensor given_back(Tensor& input, Tensor result, bool inplace, CallSite site) {
  return inplace ? input.copy_(result, false, site) : result;
}

}  // namespace

Tensor ELUImpl::forward(Tensor input, CallSite site) const {
  return given_back(input, elu(input, options.alpha(), 1, 1, site), options.inplace(), site);
}
void ELUImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::ELU(alpha=" << options.alpha()
      << (options.inplace() ? ", inplace=true" : "") << ")";
}
Tensor SELUImpl::forward(Tensor input, CallSite site) const {
  return given_back(input, selu(input, site), options.inplace(), site);
}
void SELUImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::SELU(" << (options.inplace() ? "inplace=true" : "") << ")";
}
Tensor ReLU6Impl::forward(Tensor input, CallSite site) const {
  return given_back(input, relu6(input, site), options.inplace(), site);
}
void ReLU6Impl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::ReLU6(" << (options.inplace() ? "inplace=true" : "") << ")";
}
Tensor HardtanhImpl::forward(Tensor input, CallSite site) const {
  return given_back(input, hardtanh(input, options.min_val(), options.max_val(), site),
                    options.inplace(), site);
}
void HardtanhImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Hardtanh(min_val=" << options.min_val()
      << ", max_val=" << options.max_val() << (options.inplace() ? ", inplace=true" : "") << ")";
}
Tensor SoftplusImpl::forward(const Tensor& input, CallSite site) const {
  return softplus(input, options.beta(), options.threshold(), site);
}
void SoftplusImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Softplus(beta=" << options.beta() << ", threshold=" << options.threshold()
      << ")";
}
PReLUImpl::PReLUImpl(const PReLUOptions& options) : options(options) {
  weight = register_parameter("weight", make({options.num_parameters()}));
  NoGradGuard no_grad;
  weight.fill_(options.init());
}
Tensor PReLUImpl::forward(const Tensor& input, CallSite site) const {
  return prelu(input, weight, site);
}
void PReLUImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::PReLU(num_parameters=" << options.num_parameters() << ")";
}
Tensor LogSigmoidImpl::forward(const Tensor& input, CallSite site) const {
  return log_sigmoid(input, site);
}
void LogSigmoidImpl::pretty_print(std::ostream& out) const { out << "tensorlib::nn::LogSigmoid()"; }
Tensor MishImpl::forward(const Tensor& input, CallSite site) const { return mish(input, site); }
void MishImpl::pretty_print(std::ostream& out) const { out << "tensorlib::nn::Mish()"; }
Tensor GLUImpl::forward(const Tensor& input, CallSite site) const {
  return glu(input, options.dim(), site);
}
void GLUImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::GLU(dim=" << options.dim() << ")";
}

Tensor MaxPool1dImpl::forward(const Tensor& input, CallSite site) const {
  return max_pool1d(input, options.kernel_size(), options.stride(), options.padding(),
                    options.dilation(), options.ceil_mode(), site);
}
void MaxPool1dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::MaxPool1d(kernel_size=" << options.kernel_size()
      << ", stride=" << options.stride() << ", padding=" << options.padding()
      << ", dilation=" << options.dilation() << ", ceil_mode=" << text(options.ceil_mode()) << ")";
}
Tensor AvgPool1dImpl::forward(const Tensor& input, CallSite site) const {
  return avg_pool1d(input, options.kernel_size(), options.stride(), options.padding(),
                    options.ceil_mode(), options.count_include_pad(), site);
}
void AvgPool1dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::AvgPool1d(kernel_size=" << options.kernel_size()
      << ", stride=" << options.stride() << ", padding=" << options.padding() << ")";
}
Tensor AdaptiveAvgPool1dImpl::forward(const Tensor& input, CallSite site) const {
  return adaptive_avg_pool1d(input, options.output_size(), site);
}
void AdaptiveAvgPool1dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::AdaptiveAvgPool1d(output_size=" << options.output_size() << ")";
}
Tensor AdaptiveMaxPool2dImpl::forward(const Tensor& input, CallSite site) const {
  return std::get<0>(adaptive_max_pool2d(input, options.output_size(), site));
}
void AdaptiveMaxPool2dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::AdaptiveMaxPool2d(output_size=" << options.output_size() << ")";
}

GroupNormImpl::GroupNormImpl(const GroupNormOptions& options) : options(options) {
  if (!options.affine()) return;
  weight = register_parameter("weight", make({options.num_channels()}));
  bias = register_parameter("bias", make({options.num_channels()}));
  reset_parameters();
}
void GroupNormImpl::reset_parameters() {
  if (!options.affine()) return;
  NoGradGuard no_grad;
  weight.fill_(1);
  bias.zero_();
}
Tensor GroupNormImpl::forward(const Tensor& input, CallSite site) const {
  return group_norm(input, options.num_groups(), weight, bias, options.eps(), true, site);
}
void GroupNormImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::GroupNorm(" << options.num_groups() << ", " << options.num_channels()
      << ", eps=" << options.eps() << ", affine=" << text(options.affine()) << ")";
}

void InstanceNormImplBase::make_tensors() {
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
void InstanceNormImplBase::reset_parameters() {
  NoGradGuard no_grad;
  if (options.track_running_stats()) {
    running_mean.zero_();
    running_var.fill_(1);
    num_batches_tracked.zero_();
  }
  if (!options.affine()) return;
  weight.fill_(1);
  bias.zero_();
}
Tensor InstanceNormImplBase::forward(const Tensor& input, CallSite site) {
  if (input.defined() && input.dim() != dims_) {
    throw ShapeError(str_cat(short_name(*this), ": the input must have ", dims_,
                             " dimensions, and its shape is ", input.sizes()),
                     site);
  }
  return instance_norm(input, weight, bias, running_mean, running_var,
                       is_training() || !options.track_running_stats(), options.momentum(),
                       options.eps(), true, site);
}
void InstanceNormImplBase::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::" << short_name(*this) << "(" << options.num_features()
      << ", eps=" << options.eps() << ", momentum=" << options.momentum()
      << ", affine=" << text(options.affine())
      << ", track_running_stats=" << text(options.track_running_stats()) << ")";
}
InstanceNorm1dImpl::InstanceNorm1dImpl(const InstanceNormOptions& options)
    : InstanceNormImplBase(options, 3) {
  make_tensors();
}
InstanceNorm2dImpl::InstanceNorm2dImpl(const InstanceNormOptions& options)
    : InstanceNormImplBase(options, 4) {
  make_tensors();
}

Tensor LocalResponseNormImpl::forward(const Tensor& input, CallSite site) const {
  return local_response_norm(input, options.size(), options.alpha(), options.beta(), options.k(),
                             site);
}
void LocalResponseNormImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::LocalResponseNorm(" << options.size() << ", alpha=" << options.alpha()
      << ", beta=" << options.beta() << ", k=" << options.k() << ")";
}

#define TENSORLIB_PADDING(Name, kind)                                                    \
  Tensor Name##Impl::forward(const Tensor& input, CallSite site) const {                 \
    return pad(input, options.padding(), kind, 0, site);                                 \
  }                                                                                      \
  void Name##Impl::pretty_print(std::ostream& out) const {                               \
    out << "tensorlib::nn::" #Name "(padding=" << IntArrayRef(options.padding()) << ")"; \
  }
TENSORLIB_PADDING(ZeroPad2d, kConstant)
TENSORLIB_PADDING(ReflectionPad1d, kReflect)
TENSORLIB_PADDING(ReflectionPad2d, kReflect)
TENSORLIB_PADDING(ReplicationPad1d, kReplicate)
TENSORLIB_PADDING(ReplicationPad2d, kReplicate)
#undef TENSORLIB_PADDING
#define TENSORLIB_CONSTANT_PADDING(Name)                                         \
  Tensor Name##Impl::forward(const Tensor& input, CallSite site) const {         \
    return pad(input, options.padding(), kConstant, options.value(), site);      \
  }                                                                              \
  void Name##Impl::pretty_print(std::ostream& out) const {                       \
    out << "tensorlib::nn::" #Name "(padding=" << IntArrayRef(options.padding()) \
        << ", value=" << options.value() << ")";                                 \
  }
TENSORLIB_CONSTANT_PADDING(ConstantPad1d)
TENSORLIB_CONSTANT_PADDING(ConstantPad2d)
#undef TENSORLIB_CONSTANT_PADDING

Tensor UpsampleImpl::forward(const Tensor& input, CallSite site) const {
  return interpolate(input, options.size(), options.scale_factor(), options.mode(),
                     options.align_corners(), std::nullopt, site);
}
void UpsampleImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Upsample(";
  if (options.scale_factor()) {
    out << "scale_factor=" << ArrayRef<double>(*options.scale_factor());
  } else if (options.size()) {
    out << "size=" << IntArrayRef(*options.size());
  }
  out << ", mode=" << name_of(static_cast<ResizeMode>(options.mode())) << ")";
}
Tensor PixelShuffleImpl::forward(const Tensor& input, CallSite site) const {
  return pixel_shuffle(input, options.upscale_factor(), site);
}
void PixelShuffleImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::PixelShuffle(upscale_factor=" << options.upscale_factor() << ")";
}
Tensor UnflattenImpl::forward(const Tensor& input, CallSite site) const {
  require_defined(input, "input", "Unflatten", site);
  const int64_t d = wrap_dim(options.dim(), input.dim(), "Unflatten", site);
  std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().begin() + d);
  sizes.insert(sizes.end(), options.sizes().begin(), options.sizes().end());
  if (input.dim() > 0) {
    sizes.insert(sizes.end(), input.sizes().begin() + d + 1, input.sizes().end());
  }
  return input.reshape(sizes, site);
}
void UnflattenImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::Unflatten(dim=" << options.dim() << ", unflattened_size={";
  for (size_t i = 0; i < options.sizes().size(); ++i) {
    out << (i > 0 ? ", " : "") << options.sizes()[i];
  }
  out << "})";
}
Tensor CosineSimilarityImpl::forward(const Tensor& x1, const Tensor& x2, CallSite site) const {
  return cosine_similarity(x1, x2, options.dim(), options.eps(), site);
}
void CosineSimilarityImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::CosineSimilarity(dim=" << options.dim() << ", eps=" << options.eps()
      << ")";
}

}  // namespace tensorlib::nn
