// Losses as functions, with LibTorch's names and argument order.
#pragma once

#include "tensorlib/ops.h"

namespace tensorlib {

namespace Reduction {
enum Reduction { None, Mean, Sum, BatchMean };
}
constexpr Reduction::Reduction kNone = Reduction::None;
constexpr Reduction::Reduction kMean = Reduction::Mean;
constexpr Reduction::Reduction kSum = Reduction::Sum;
// The sum over the first dimension's size, in kl_div.
constexpr Reduction::Reduction kBatchMean = Reduction::BatchMean;

// The mean (or sum, or each) of -log_probability[target] over the rows of [N, classes]; target is
// int64 [N]. Rows whose target is `ignore_index` do not count.
TENSORLIB_PURE TENSORLIB_API Tensor nll_loss(const Tensor& self, const Tensor& target,
                                             const Tensor& weight = {},
                                             int64_t reduction = Reduction::Mean,
                                             int64_t ignore_index = -100,
                                             CallSite site = CallSite::current());
// nll_loss of log_softmax(self).
TENSORLIB_PURE TENSORLIB_API Tensor cross_entropy_loss(const Tensor& self, const Tensor& target,
                                                       const Tensor& weight = {},
                                                       int64_t reduction = Reduction::Mean,
                                                       int64_t ignore_index = -100,
                                                       double label_smoothing = 0,
                                                       CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor mse_loss(const Tensor& self, const Tensor& target,
                                             int64_t reduction = Reduction::Mean,
                                             CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor l1_loss(const Tensor& self, const Tensor& target,
                                            int64_t reduction = Reduction::Mean,
                                            CallSite site = CallSite::current());
// Half the square over beta within beta of the target, the distance less half of beta beyond.
TENSORLIB_PURE TENSORLIB_API Tensor smooth_l1_loss(const Tensor& self, const Tensor& target,
                                                   int64_t reduction = Reduction::Mean,
                                                   double beta = 1,
                                                   CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor huber_loss(const Tensor& self, const Tensor& target,
                                               int64_t reduction = Reduction::Mean,
                                               double delta = 1,
                                               CallSite site = CallSite::current());
// target * (log(target) - self), of logarithms and probabilities; with log_target both are
// logarithms.
TENSORLIB_PURE TENSORLIB_API Tensor kl_div(const Tensor& self, const Tensor& target,
                                           int64_t reduction = Reduction::Mean,
                                           bool log_target = false,
                                           CallSite site = CallSite::current());
// Of probabilities; their logarithms count as -100 at the least.
TENSORLIB_PURE TENSORLIB_API Tensor binary_cross_entropy(const Tensor& self, const Tensor& target,
                                                         const Tensor& weight = {},
                                                         int64_t reduction = Reduction::Mean,
                                                         CallSite site = CallSite::current());
// Of what sigmoid() would make probabilities of.
TENSORLIB_PURE TENSORLIB_API Tensor binary_cross_entropy_with_logits(
    const Tensor& self, const Tensor& target, const Tensor& weight = {},
    const Tensor& pos_weight = {}, int64_t reduction = Reduction::Mean,
    CallSite site = CallSite::current());

}  // namespace tensorlib
