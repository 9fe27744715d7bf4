// Normalisation within an example: GroupNorm, InstanceNorm1d and 2d, LocalResponseNorm.
#pragma once

#include <cstdint>

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

struct GroupNormOptions {
  GroupNormOptions(int64_t num_groups, int64_t num_channels)
      : num_groups_(num_groups), num_channels_(num_channels) {}
  TENSORLIB_OPTION(int64_t, num_groups);
  TENSORLIB_OPTION(int64_t, num_channels);
  TENSORLIB_OPTION(double, eps) = 1e-5;
  TENSORLIB_OPTION(bool, affine) = true;
};

class TENSORLIB_API GroupNormImpl : public Module {
 public:
  GroupNormImpl(int64_t num_groups, int64_t num_channels)
      : GroupNormImpl(GroupNormOptions(num_groups, num_channels)) {}
  explicit GroupNormImpl(const GroupNormOptions& options);
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  GroupNormOptions options;
  Tensor weight, bias;  // of the channels; undefined without affine
};
TENSORLIB_MODULE(GroupNorm);

struct InstanceNormOptions {
  InstanceNormOptions(int64_t num_features) : num_features_(num_features) {}
  TENSORLIB_OPTION(int64_t, num_features);
  TENSORLIB_OPTION(double, eps) = 1e-5;
  TENSORLIB_OPTION(double, momentum) = 0.1;
  TENSORLIB_OPTION(bool, affine) = false;
  TENSORLIB_OPTION(bool, track_running_stats) = false;
};
using InstanceNorm1dOptions = InstanceNormOptions;
using InstanceNorm2dOptions = InstanceNormOptions;

class TENSORLIB_API InstanceNormImplBase : public Module {
 public:
  // In training this changes the running statistics, where they are tracked.
  Tensor forward(const Tensor& input, CallSite site = CallSite::current());
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;

  InstanceNormOptions options;
  Tensor weight, bias, running_mean, running_var, num_batches_tracked;

 protected:
  InstanceNormImplBase(const InstanceNormOptions& options, int64_t dims)
      : options(options), dims_(dims) {}
  // To be called by the subclass's constructor: errors name parameters after the class that is
  // being made.
  void make_tensors();

 private:
  int64_t dims_;  // of the input
};

class TENSORLIB_API InstanceNorm1dImpl : public InstanceNormImplBase {
 public:
  explicit InstanceNorm1dImpl(const InstanceNormOptions& options);
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(InstanceNorm1d);
class TENSORLIB_API InstanceNorm2dImpl : public InstanceNormImplBase {
 public:
  explicit InstanceNorm2dImpl(const InstanceNormOptions& options);
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(InstanceNorm2d);

struct LocalResponseNormOptions {
  LocalResponseNormOptions(int64_t size) : size_(size) {}
  TENSORLIB_OPTION(int64_t, size);
  TENSORLIB_OPTION(double, alpha) = 1e-4;
  TENSORLIB_OPTION(double, beta) = 0.75;
  TENSORLIB_OPTION(double, k) = 1;
};
class TENSORLIB_API LocalResponseNormImpl : public Module {
 public:
  explicit LocalResponseNormImpl(const LocalResponseNormOptions& options) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  LocalResponseNormOptions options;
};
TENSORLIB_MODULE(LocalResponseNorm);

}  // namespace tensorlib::nn
