// The layers that normalise within an example, or between neighbouring channels.
#include <ostream>

#include "core/check.h"
#include "nn/layer.h"
#include "tensorlib/composed.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn {

GroupNormImpl::GroupNormImpl(const GroupNormOptions& options) : options(options) {
  if (!options.affine()) return;
  weight = register_parameter("weight", make({options.num_channels()}));
  bias = register_parameter("bias", make({options.num_channels()}));
  reset_parameters();
}
void GroupNormImpl::reset_parameters() {
  if (options.affine()) reset_scale_and_shift(weight, bias);
}
Tensor GroupNormImpl::forward(const Tensor& input, CallSite site) const {
  return group_norm(input, options.num_groups(), weight, bias, options.eps(), true, site);
}
void GroupNormImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::GroupNorm(" << options.num_groups() << ", " << options.num_channels()
      << ", eps=" << options.eps() << ", affine=" << text(options.affine()) << ")";
}

void InstanceNormImplBase::make_tensors() { make_norm_tensors(*this); }
void InstanceNormImplBase::reset_parameters() {
  reset_norm_statistics(*this);
  if (options.affine()) reset_scale_and_shift(weight, bias);
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
void InstanceNormImplBase::pretty_print(std::ostream& out) const { print_norm(*this, out); }
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

}  // namespace tensorlib::nn
