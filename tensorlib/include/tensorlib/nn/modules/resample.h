// Layers that change an image's size: borders, Upsample, PixelShuffle; and Unflatten, which takes a
// dimension apart.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"
#include "tensorlib/resample.h"

namespace tensorlib::nn {

// So many elements at each end of the last dimension, then of the one before; one number for all.
template <size_t D>
struct PaddingOptions {
  PaddingOptions(ExpandingArray<D> padding) : padding_(padding) {}
  TENSORLIB_OPTION(ExpandingArray<D>, padding);
};
template <size_t D>
struct ConstantPadOptions {
  ConstantPadOptions(ExpandingArray<D> padding, double value) : padding_(padding), value_(value) {}
  TENSORLIB_OPTION(ExpandingArray<D>, padding);
  TENSORLIB_OPTION(double, value) = 0;
};
using ConstantPad1dOptions = ConstantPadOptions<2>;
using ConstantPad2dOptions = ConstantPadOptions<4>;

#define TENSORLIB_PADDING(Name, D)                                                                 \
  using Name##Options = PaddingOptions<D>;                                                         \
  class TENSORLIB_API Name##Impl : public Module {                                                 \
   public:                                                                                         \
    Name##Impl(ExpandingArray<D> padding) : Name##Impl(Name##Options(padding)) {}                  \
    explicit Name##Impl(const Name##Options& options) : options(options) {}                        \
    TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const; \
    void pretty_print(std::ostream& out) const override;                                           \
    TENSORLIB_CLONE;                                                                               \
                                                                                                   \
    Name##Options options;                                                                         \
  };                                                                                               \
  TENSORLIB_MODULE(Name)
TENSORLIB_PADDING(ZeroPad2d, 4);
TENSORLIB_PADDING(ReflectionPad1d, 2);
TENSORLIB_PADDING(ReflectionPad2d, 4);
TENSORLIB_PADDING(ReplicationPad1d, 2);
TENSORLIB_PADDING(ReplicationPad2d, 4);
#undef TENSORLIB_PADDING

class TENSORLIB_API ConstantPad1dImpl : public Module {
 public:
  ConstantPad1dImpl(ExpandingArray<2> padding, double value)
      : ConstantPad1dImpl(ConstantPad1dOptions(padding, value)) {}
  explicit ConstantPad1dImpl(const ConstantPad1dOptions& options) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  ConstantPad1dOptions options;
};
TENSORLIB_MODULE(ConstantPad1d);

class TENSORLIB_API ConstantPad2dImpl : public Module {
 public:
  ConstantPad2dImpl(ExpandingArray<4> padding, double value)
      : ConstantPad2dImpl(ConstantPad2dOptions(padding, value)) {}
  explicit ConstantPad2dImpl(const ConstantPad2dOptions& options) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  ConstantPad2dOptions options;
};
TENSORLIB_MODULE(ConstantPad2d);

struct UpsampleOptions {
  TENSORLIB_OPTION(std::optional<std::vector<int64_t>>, size) = std::nullopt;
  TENSORLIB_OPTION(std::optional<std::vector<double>>, scale_factor) = std::nullopt;
  TENSORLIB_OPTION(InterpolateMode, mode) = kNearest;
  TENSORLIB_OPTION(std::optional<bool>, align_corners) = std::nullopt;
};
class TENSORLIB_API UpsampleImpl : public Module {
 public:
  explicit UpsampleImpl(const UpsampleOptions& options = {}) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  UpsampleOptions options;
};
TENSORLIB_MODULE(Upsample);

struct PixelShuffleOptions {
  PixelShuffleOptions(int64_t upscale_factor) : upscale_factor_(upscale_factor) {}
  TENSORLIB_OPTION(int64_t, upscale_factor);
};
class TENSORLIB_API PixelShuffleImpl : public Module {
 public:
  explicit PixelShuffleImpl(const PixelShuffleOptions& options) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  PixelShuffleOptions options;
};
TENSORLIB_MODULE(PixelShuffle);

struct UnflattenOptions {
  UnflattenOptions(int64_t dim, std::vector<int64_t> sizes) : dim_(dim), sizes_(std::move(sizes)) {}
  TENSORLIB_OPTION(int64_t, dim);
  TENSORLIB_OPTION(std::vector<int64_t>, sizes);
};
class TENSORLIB_API UnflattenImpl : public Module {
 public:
  UnflattenImpl(int64_t dim, std::vector<int64_t> sizes)
      : UnflattenImpl(UnflattenOptions(dim, std::move(sizes))) {}
  explicit UnflattenImpl(UnflattenOptions options) : options(std::move(options)) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  UnflattenOptions options;
};
TENSORLIB_MODULE(Unflatten);

struct CosineSimilarityOptions {
  TENSORLIB_OPTION(int64_t, dim) = 1;
  TENSORLIB_OPTION(double, eps) = 1e-8;
};
// Called with two tensors.
class TENSORLIB_API CosineSimilarityImpl : public Module {
 public:
  explicit CosineSimilarityImpl(const CosineSimilarityOptions& options = {}) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& x1, const Tensor& x2,
                                CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  CosineSimilarityOptions options;
};
TENSORLIB_MODULE(CosineSimilarity);

}  // namespace tensorlib::nn
