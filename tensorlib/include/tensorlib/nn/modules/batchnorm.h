// BatchNorm1d and BatchNorm2d: per-channel normalisation with running statistics, which are
// buffers.
#pragma once

#include <optional>

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

struct BatchNormOptions {
  BatchNormOptions(int64_t num_features) : num_features_(num_features) {}
  TENSORLIB_OPTION(int64_t, num_features);
  TENSORLIB_OPTION(double, eps) = 1e-5;
  TENSORLIB_OPTION(double, momentum) = 0.1;
  TENSORLIB_OPTION(bool, affine) = true;
  TENSORLIB_OPTION(bool, track_running_stats) = true;
};
using BatchNorm1dOptions = BatchNormOptions;
using BatchNorm2dOptions = BatchNormOptions;

class TENSORLIB_API BatchNormImplBase : public Module {
 public:
  // In training this changes the running statistics too.
  Tensor forward(const Tensor& input, CallSite site = CallSite::current());
  void reset_running_stats();
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;

  BatchNormOptions options;
  Tensor weight, bias, running_mean, running_var, num_batches_tracked;

 protected:
  BatchNormImplBase(const BatchNormOptions& options, int64_t least_dims, int64_t most_dims);
  // To be called by the subclass's constructor: errors name parameters after the class that is
  // being made.
  void make_tensors();

 private:
  int64_t least_dims_, most_dims_;  // of the input
};

class TENSORLIB_API BatchNorm1dImpl : public BatchNormImplBase {
 public:
  explicit BatchNorm1dImpl(const BatchNormOptions& options);
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(BatchNorm1d);

class TENSORLIB_API BatchNorm2dImpl : public BatchNormImplBase {
 public:
  explicit BatchNorm2dImpl(const BatchNormOptions& options);
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(BatchNorm2d);

}  // namespace tensorlib::nn
