// The losses as modules.
#include <ostream>
#include <string>

#include "tensorlib/nn/functional.h"

namespace tensorlib::nn {

namespace F = functional;

namespace {

// As LibTorch prints them, which leaves out the brackets of two.
std::string printed(const std::string& name) {
  return name == "SmoothL1Loss" || name == "HuberLoss" ? name : name + "()";
}

}  // namespace

#define TENSORLIB_LOSS(Name, function)                                                         \
  Tensor Name##Impl::forward(const Tensor& input, const Tensor& target, CallSite site) const { \
    return F::function(input, target, options, site);                                          \
  }                                                                                            \
  void Name##Impl::pretty_print(std::ostream& out) const {                                     \
    out << "tensorlib::nn::" << printed(#Name);                                                \
  }
#define TENSORLIB_PLAIN_LOSS(Name, function)                                 \
  Name##Impl::Name##Impl(const Name##Options& options) : options(options) {} \
  TENSORLIB_LOSS(Name, function)
// One whose class weights are a buffer: the options hold the same tensor, so that it moves too.
#define TENSORLIB_WEIGHTED_LOSS(Name, function)                             \
  Name##Impl::Name##Impl(const Name##Options& options) : options(options) { \
    register_buffer("weight", options.weight());                            \
  }                                                                         \
  TENSORLIB_LOSS(Name, function)

TENSORLIB_PLAIN_LOSS(MSELoss, mse_loss)
TENSORLIB_PLAIN_LOSS(L1Loss, l1_loss)
TENSORLIB_PLAIN_LOSS(SmoothL1Loss, smooth_l1_loss)
TENSORLIB_PLAIN_LOSS(HuberLoss, huber_loss)
TENSORLIB_PLAIN_LOSS(KLDivLoss, kl_div)
TENSORLIB_WEIGHTED_LOSS(NLLLoss, nll_loss)
TENSORLIB_WEIGHTED_LOSS(CrossEntropyLoss, cross_entropy)
TENSORLIB_WEIGHTED_LOSS(BCELoss, binary_cross_entropy)

BCEWithLogitsLossImpl::BCEWithLogitsLossImpl(const BCEWithLogitsLossOptions& options)
    : options(options) {
  register_buffer("weight", options.weight());
  register_buffer("pos_weight", options.pos_weight());
}
TENSORLIB_LOSS(BCEWithLogitsLoss, binary_cross_entropy_with_logits)

}  // namespace tensorlib::nn
