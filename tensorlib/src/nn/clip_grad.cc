#include <cmath>

#include "core/check.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/nn/utils.h"
#include "tensorlib/ops.h"

namespace tensorlib::nn::utils {

namespace {

std::vector<Tensor> gradients(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> result;
  for (const Tensor& parameter : parameters) {
    if (parameter.defined() && parameter.grad().defined()) result.push_back(parameter.grad());
  }
  return result;
}

}  // namespace

double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type,
                       bool error_if_nonfinite, CallSite site) {
  const NoGradGuard raw;
  const std::vector<Tensor> grads = gradients(parameters);
  if (grads.empty()) return 0;
  // Each one's on its device, and all of them brought to the first one's.
  std::vector<Tensor> norms;
  for (const Tensor& grad : grads) {
    norms.push_back(grad.norm(norm_type, site).to(grads[0].device(), kFloat, false, false, site));
  }
  const double total = stack(norms, 0, site).norm(norm_type, site).item(site).toDouble();
  if (error_if_nonfinite && !std::isfinite(total)) {
    throw Error(str_cat("clip_grad_norm_: the norm of the gradients is ", total), site);
  }
  const double factor = max_norm / (total + 1e-6);
  // A norm that is NaN makes all of them NaN, as in LibTorch.
  if (!(factor >= 1)) {
    for (const Tensor& grad : grads) grad.mul_(factor, site);
  }
  return total;
}
double clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type,
                       bool error_if_nonfinite, CallSite site) {
  return clip_grad_norm_(std::vector<Tensor>{parameter}, max_norm, norm_type, error_if_nonfinite,
                         site);
}

void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value, CallSite site) {
  const NoGradGuard raw;
  for (const Tensor& grad : gradients(parameters)) grad.clamp_(-clip_value, clip_value, site);
}
void clip_grad_value_(const Tensor& parameter, double clip_value, CallSite site) {
  clip_grad_value_(std::vector<Tensor>{parameter}, clip_value, site);
}

}  // namespace tensorlib::nn::utils
