// Helpers that layers with parameters share.
#pragma once

#include "core/check.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/nn.h"
#include "tensorlib/transfer.h"

namespace tensorlib::nn {

// A layer's parameters and buffers: made by the library, so that no line of the user's is known for
// them.
inline Tensor make(IntArrayRef sizes, ScalarType type = kFloat) {
  return empty(sizes, type, CallSite::none());
}

// Both of a layer's parameters as PyTorch makes them: uniform within 1/sqrt(inputs of a unit).
void reset_uniform(const Tensor& weight, const Tensor& bias);

// "Net" for a class user::NetImpl: what a person calls it.
std::string short_name(const Module& module);

// How a layer prints a flag.
inline const char* text(bool value) { return value ? "true" : "false"; }

// All that a layer is given, and a parameter of its own, on one device: the error names each. Under
// the implicit policy the layer's operations bring their operands together.
inline void check_together(const char* layer, CallSite site, Arguments arguments) {
  if (OperandPolicyScope::current() == OperandPolicy::kStrict) {
    check_same_device(layer, site, arguments);
  }
}

// A layer's return value: the input itself, changed, where that is asked for.
inline Tensor given_back(Tensor& input, Tensor result, bool inplace, CallSite site) {
  return inplace && !result.is_same(input) ? input.copy_(result, false, site) : result;
}

// Of a layer that norms: all stays as it is at first.
inline void reset_scale_and_shift(const Tensor& weight, const Tensor& bias) {
  NoGradGuard no_grad;
  weight.fill_(1);
  bias.zero_();
}

// Batch norm and instance norm hold the same tensors, by the names that a state dict has for them.
template <class Norm>
void make_norm_tensors(Norm& norm) {
  const int64_t features = norm.options.num_features();
  if (norm.options.affine()) {
    norm.weight = norm.register_parameter("weight", make({features}));
    norm.bias = norm.register_parameter("bias", make({features}));
  }
  if (norm.options.track_running_stats()) {
    norm.running_mean = norm.register_buffer("running_mean", make({features}));
    norm.running_var = norm.register_buffer("running_var", make({features}));
    norm.num_batches_tracked = norm.register_buffer("num_batches_tracked", make({}, kLong));
  }
  norm.reset_parameters();
}

template <class Norm>
void reset_norm_statistics(Norm& norm) {
  if (!norm.options.track_running_stats()) return;
  NoGradGuard no_grad;
  norm.running_mean.zero_();
  norm.running_var.fill_(1);
  norm.num_batches_tracked.zero_();
}

template <class Norm>
void print_norm(const Norm& norm, std::ostream& out) {
  out << "tensorlib::nn::" << short_name(norm) << "(" << norm.options.num_features()
      << ", eps=" << norm.options.eps() << ", momentum=" << norm.options.momentum()
      << ", affine=" << text(norm.options.affine())
      << ", track_running_stats=" << text(norm.options.track_running_stats()) << ")";
}

}  // namespace tensorlib::nn
