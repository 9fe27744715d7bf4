// Normalisation within an example, made of layer_norm and batch_norm: group_norm, instance_norm;
// and local_response_norm.
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/composed.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/resample.h"

namespace tensorlib {

namespace {

void check_channels(const char* name, const Tensor& input, int64_t least, CallSite site) {
  require_defined(input, "input", name, site);
  check_floating(name, site, {"input", input});
  if (input.dim() >= least) return;
  throw ShapeError(str_cat(name, ": expected an input [N, C, ...], got shape ", input.sizes()),
                   site);
}

// A weight of the channels, to multiply [N, C, ...] by.
Tensor by_channel(const char* name, const char* what, const Tensor& weight, const Tensor& input,
                  CallSite site) {
  check_same_device(name, site, {{"input", input}, {what, weight}});
  const int64_t channels = input.size(1);
  if (weight.numel() != channels) {
    throw ShapeError(
        str_cat(name, ": ", what, " has shape ", weight.sizes(), " for ", channels, " channels"),
        site);
  }
  std::vector<int64_t> sizes(static_cast<size_t>(input.dim()), 1);
  sizes[1] = channels;
  return weight.reshape(sizes, site);
}

}  // namespace

Tensor group_norm(const Tensor& input, int64_t num_groups, const Tensor& weight, const Tensor& bias,
                  double eps, bool, CallSite site) {
  check_channels("group_norm", input, 2, site);
  const int64_t n = input.size(0), channels = input.size(1);
  if (num_groups < 1 || channels % num_groups != 0) {
    throw ShapeError(str_cat("group_norm: ", channels, " channels in ", num_groups, " groups"),
                     site);
  }
  const int64_t each = input.numel() == 0 ? 0 : input.numel() / (n * num_groups);
  Tensor result = input.numel() == 0 ? input.clone(site)
                                     : layer_norm(input.reshape({n, num_groups, each}, site), each,
                                                  {}, {}, eps, true, site)
                                           .view(input.sizes(), site);
  if (weight.defined()) {
    result = result.mul(by_channel("group_norm", "weight", weight, input, site), site);
  }
  if (bias.defined()) {
    result = result.add(by_channel("group_norm", "bias", bias, input, site), 1, site);
  }
  return result;
}

Tensor instance_norm(const Tensor& input, const Tensor& weight, const Tensor& bias,
                     const Tensor& running_mean, const Tensor& running_var, bool use_input_stats,
                     double momentum, double eps, bool, CallSite site) {
  check_channels("instance_norm", input, 3, site);
  const int64_t n = input.size(0), channels = input.size(1);
  std::vector<int64_t> sizes = input.sizes().vec();
  const int64_t each = input.numel() == 0 ? 0 : input.numel() / (n * channels);
  if (use_input_stats && each < 2) {
    throw ShapeError(
        str_cat("instance_norm: expected more than one element in each channel, got shape ",
                input.sizes()),
        site);
  }
  sizes[1] *= sizes[0];
  sizes[0] = 1;
  const auto repeated = [&](const Tensor& stats) {
    return stats.defined() ? stats.repeat(n, site) : Tensor();
  };
  const Tensor mean = repeated(running_mean), var = repeated(running_var);
  Tensor result = batch_norm(input.reshape(sizes, site), {}, {}, mean, var, use_input_stats,
                             momentum, eps, site)
                      .view(input.sizes(), site);
  if (use_input_stats) {
    NoGradGuard raw;
    for (const auto& [kept, moved] : {std::pair(running_mean, mean), std::pair(running_var, var)}) {
      if (kept.defined()) {
        kept.copy_(moved.view({n, channels}, site).mean(0, false, site), false, site);
      }
    }
  }
  if (weight.defined()) {
    result = result.mul(by_channel("instance_norm", "weight", weight, input, site), site);
  }
  if (bias.defined()) {
    result = result.add(by_channel("instance_norm", "bias", bias, input, site), 1, site);
  }
  return result;
}

Tensor local_response_norm(const Tensor& input, int64_t size, double alpha, double beta, double k,
                           CallSite site) {
  check_channels("local_response_norm", input, 3, site);
  if (size < 1) throw Error(str_cat("local_response_norm: of ", size, " channels"), site);
  if (input.numel() == 0) return input.clone(site);
  std::vector<int64_t> border(static_cast<size_t>(2 * (input.dim() - 1)), 0);
  border[border.size() - 2] = size / 2;
  border[border.size() - 1] = (size - 1) / 2;
  const Tensor squares = pad(input.square(site), border, kConstant, 0, site);
  const Tensor means = squares.unfold(1, size, 1, site).mean(-1, false, site);
  return input.div(means.mul(alpha, site).add(k, 1, site).pow(beta, site), site);
}

}  // namespace tensorlib
