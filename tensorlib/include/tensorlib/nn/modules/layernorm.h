// LayerNorm: each example normalised by its own mean and variance.
#pragma once

#include <cstdint>
#include <vector>

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

struct LayerNormOptions {
  // The last dimensions of the input, over which the mean is taken.
  LayerNormOptions(std::vector<int64_t> normalized_shape)
      : normalized_shape_(std::move(normalized_shape)) {}
  TENSORLIB_OPTION(std::vector<int64_t>, normalized_shape);
  TENSORLIB_OPTION(double, eps) = 1e-5;
  TENSORLIB_OPTION(bool, elementwise_affine) = true;
};

class TENSORLIB_API LayerNormImpl : public Module {
 public:
  LayerNormImpl(std::vector<int64_t> normalized_shape)
      : LayerNormImpl(LayerNormOptions(std::move(normalized_shape))) {}
  explicit LayerNormImpl(const LayerNormOptions& options);
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  LayerNormOptions options;
  Tensor weight, bias;  // of the normalized shape; undefined without elementwise_affine
};
TENSORLIB_MODULE(LayerNorm);

}  // namespace tensorlib::nn
