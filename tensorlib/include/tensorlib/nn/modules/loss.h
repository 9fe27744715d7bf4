// Losses as modules: called with the input and the target.
#pragma once

#include "tensorlib/loss.h"
#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

// An option alone, and with others.
struct LossOptions {
  LossOptions(Reduction::Reduction reduction = kMean) : reduction_(reduction) {}
  TENSORLIB_OPTION(Reduction::Reduction, reduction);
};
using MSELossOptions = LossOptions;
using L1LossOptions = LossOptions;

struct SmoothL1LossOptions {
  SmoothL1LossOptions(Reduction::Reduction reduction = kMean) : reduction_(reduction) {}
  TENSORLIB_OPTION(Reduction::Reduction, reduction);
  TENSORLIB_OPTION(double, beta) = 1;
};

struct HuberLossOptions {
  HuberLossOptions(Reduction::Reduction reduction = kMean) : reduction_(reduction) {}
  TENSORLIB_OPTION(Reduction::Reduction, reduction);
  TENSORLIB_OPTION(double, delta) = 1;
};

struct KLDivLossOptions {
  KLDivLossOptions(Reduction::Reduction reduction = kMean) : reduction_(reduction) {}
  TENSORLIB_OPTION(Reduction::Reduction, reduction);
  TENSORLIB_OPTION(bool, log_target) = false;
};

struct NLLLossOptions {
  TENSORLIB_OPTION(Tensor, weight);
  TENSORLIB_OPTION(int64_t, ignore_index) = -100;
  TENSORLIB_OPTION(Reduction::Reduction, reduction) = kMean;
};

struct CrossEntropyLossOptions {
  TENSORLIB_OPTION(Tensor, weight);
  TENSORLIB_OPTION(int64_t, ignore_index) = -100;
  TENSORLIB_OPTION(Reduction::Reduction, reduction) = kMean;
  TENSORLIB_OPTION(double, label_smoothing) = 0;
};

struct BCELossOptions {
  TENSORLIB_OPTION(Tensor, weight);
  TENSORLIB_OPTION(Reduction::Reduction, reduction) = kMean;
};

struct BCEWithLogitsLossOptions {
  TENSORLIB_OPTION(Tensor, weight);
  TENSORLIB_OPTION(Tensor, pos_weight);
  TENSORLIB_OPTION(Reduction::Reduction, reduction) = kMean;
};

#define TENSORLIB_LOSS(Name)                                                  \
  class TENSORLIB_API Name##Impl : public Module {                            \
   public:                                                                    \
    explicit Name##Impl(const Name##Options& options = {});                   \
    TENSORLIB_PURE Tensor forward(const Tensor& input, const Tensor& target,  \
                                  CallSite site = CallSite::current()) const; \
    void pretty_print(std::ostream& out) const override;                      \
    TENSORLIB_CLONE;                                                          \
                                                                              \
    Name##Options options;                                                    \
  };                                                                          \
  TENSORLIB_MODULE(Name)
TENSORLIB_LOSS(MSELoss);
TENSORLIB_LOSS(L1Loss);
TENSORLIB_LOSS(SmoothL1Loss);
TENSORLIB_LOSS(HuberLoss);
TENSORLIB_LOSS(KLDivLoss);
// Losses with a weight hold it as a buffer, which moves with the module.
TENSORLIB_LOSS(NLLLoss);
TENSORLIB_LOSS(CrossEntropyLoss);
TENSORLIB_LOSS(BCELoss);
TENSORLIB_LOSS(BCEWithLogitsLoss);
#undef TENSORLIB_LOSS

}  // namespace tensorlib::nn
