// torch::nn::functional: the layers' functions, and the losses.
#pragma once

#include "tensorlib/ops.h"

namespace tensorlib {

namespace Reduction {
enum Reduction { None, Mean, Sum };
}

// The mean (or sum, or each) of -log_probability[target] over the rows of [N, classes]; target is
// int64 [N].
TENSORLIB_PURE TENSORLIB_API Tensor nll_loss(const Tensor& self, const Tensor& target,
                                             const Tensor& weight = {},
                                             int64_t reduction = Reduction::Mean,
                                             CallSite site = CallSite::current());
// nll_loss of log_softmax(self).
TENSORLIB_PURE TENSORLIB_API Tensor cross_entropy_loss(const Tensor& self, const Tensor& target,
                                                       const Tensor& weight = {},
                                                       int64_t reduction = Reduction::Mean,
                                                       CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor mse_loss(const Tensor& self, const Tensor& target,
                                             int64_t reduction = Reduction::Mean,
                                             CallSite site = CallSite::current());

namespace nn::functional {

TENSORLIB_PURE inline Tensor relu(const Tensor& input, bool inplace = false,
                                  CallSite site = CallSite::current()) {
  return inplace ? input.relu_(site) : input.relu(site);
}
TENSORLIB_PURE inline Tensor softmax(const Tensor& input, int64_t dim,
                                     CallSite site = CallSite::current()) {
  return input.softmax(dim, site);
}
TENSORLIB_PURE inline Tensor log_softmax(const Tensor& input, int64_t dim,
                                         CallSite site = CallSite::current()) {
  return input.log_softmax(dim, site);
}
TENSORLIB_PURE inline Tensor cross_entropy(const Tensor& input, const Tensor& target,
                                           CallSite site = CallSite::current()) {
  return cross_entropy_loss(input, target, {}, Reduction::Mean, site);
}
TENSORLIB_PURE inline Tensor nll_loss(const Tensor& input, const Tensor& target,
                                      CallSite site = CallSite::current()) {
  return tensorlib::nll_loss(input, target, {}, Reduction::Mean, site);
}
TENSORLIB_PURE inline Tensor mse_loss(const Tensor& input, const Tensor& target,
                                      CallSite site = CallSite::current()) {
  return tensorlib::mse_loss(input, target, Reduction::Mean, site);
}
using tensorlib::linear;

}  // namespace nn::functional

}  // namespace tensorlib
