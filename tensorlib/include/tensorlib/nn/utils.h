// torch::nn::utils: limits on gradients, between backward() and the optimizer's step().
#pragma once

#include <vector>

#include "tensorlib/tensor.h"

namespace tensorlib::nn::utils {

// Scales all gradients so that their norm together is max_norm at most, and gives the norm that
// they had; of order norm_type, infinity included. The norm is read on the host: on a GPU one wait.
// An Error for a norm that is NaN or infinite, where error_if_nonfinite.
TENSORLIB_API double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm,
                                     double norm_type = 2.0, bool error_if_nonfinite = false,
                                     CallSite site = CallSite::current());
TENSORLIB_API double clip_grad_norm_(const Tensor& parameter, double max_norm,
                                     double norm_type = 2.0, bool error_if_nonfinite = false,
                                     CallSite site = CallSite::current());
// Moves each element of each gradient into [-clip_value, clip_value].
TENSORLIB_API void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value,
                                    CallSite site = CallSite::current());
TENSORLIB_API void clip_grad_value_(const Tensor& parameter, double clip_value,
                                    CallSite site = CallSite::current());

}  // namespace tensorlib::nn::utils
