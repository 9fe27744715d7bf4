// Layers without windows: Linear, Flatten, Identity.
#pragma once

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

struct LinearOptions {
  LinearOptions(int64_t in_features, int64_t out_features)
      : in_features_(in_features), out_features_(out_features) {}
  TENSORLIB_OPTION(int64_t, in_features);
  TENSORLIB_OPTION(int64_t, out_features);
  TENSORLIB_OPTION(bool, bias) = true;
};

// y = x . weight^T + bias
class TENSORLIB_API LinearImpl : public Module {
 public:
  LinearImpl(int64_t in_features, int64_t out_features)
      : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(const LinearOptions& options);
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  LinearOptions options;
  Tensor weight, bias;
};
TENSORLIB_MODULE(Linear);

struct FlattenOptions {
  TENSORLIB_OPTION(int64_t, start_dim) = 1;
  TENSORLIB_OPTION(int64_t, end_dim) = -1;
};

class TENSORLIB_API FlattenImpl : public Module {
 public:
  explicit FlattenImpl(const FlattenOptions& options = {}) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  FlattenOptions options;
};
TENSORLIB_MODULE(Flatten);

class TENSORLIB_API IdentityImpl : public Module {
 public:
  TENSORLIB_PURE Tensor forward(const Tensor& input) const { return input; }
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(Identity);

}  // namespace tensorlib::nn
