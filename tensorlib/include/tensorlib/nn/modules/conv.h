// Conv1d, Conv2d and ConvTranspose2d.
#pragma once

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

// How the kernel goes over D dimensions: an option of each convolution, as a module and as a
// function, forth and back.
#define TENSORLIB_CONV_OPTIONS(D)                    \
  TENSORLIB_OPTION(ExpandingArray<D>, stride) = 1;   \
  TENSORLIB_OPTION(ExpandingArray<D>, padding) = 0;  \
  TENSORLIB_OPTION(ExpandingArray<D>, dilation) = 1; \
  TENSORLIB_OPTION(int64_t, groups) = 1

// Of a layer.
#define TENSORLIB_CONV_LAYER_OPTIONS(D)             \
  TENSORLIB_OPTION(int64_t, in_channels);           \
  TENSORLIB_OPTION(int64_t, out_channels);          \
  TENSORLIB_OPTION(ExpandingArray<D>, kernel_size); \
  TENSORLIB_OPTION(bool, bias) = true;              \
  TENSORLIB_CONV_OPTIONS(D)

template <size_t D>
struct TENSORLIB_API ConvOptions {
  ConvOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  TENSORLIB_CONV_LAYER_OPTIONS(D);
};
using Conv1dOptions = ConvOptions<1>;
using Conv2dOptions = ConvOptions<2>;

template <size_t D>
struct TENSORLIB_API ConvTransposeOptions {
  ConvTransposeOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  TENSORLIB_CONV_LAYER_OPTIONS(D);
  TENSORLIB_OPTION(ExpandingArray<D>, output_padding) = 0;
};
using ConvTranspose2dOptions = ConvTransposeOptions<2>;
#undef TENSORLIB_CONV_LAYER_OPTIONS

// The convolutions' common base: the parameters, made as the options say. The weight is [out, in /
// groups, kernel...], of a transposed convolution [in, out / groups, kernel...].
template <size_t D, class Options>
class TENSORLIB_API ConvNdImpl : public Module {
 public:
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;

  Options options;
  Tensor weight, bias;

 protected:
  explicit ConvNdImpl(const Options& options) : options(options) {}
  // To be called by the subclass's constructor: errors name parameters after the class that is
  // being made.
  void make_parameters();
};

// Of [N, C, L] or [C, L].
class TENSORLIB_API Conv1dImpl : public ConvNdImpl<1, Conv1dOptions> {
 public:
  Conv1dImpl(int64_t in_channels, int64_t out_channels, ExpandingArray<1> kernel_size)
      : Conv1dImpl(Conv1dOptions(in_channels, out_channels, kernel_size)) {}
  explicit Conv1dImpl(const Conv1dOptions& options) : ConvNdImpl(options) { make_parameters(); }
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(Conv1d);

// Of [N, C, H, W] or [C, H, W].
class TENSORLIB_API Conv2dImpl : public ConvNdImpl<2, Conv2dOptions> {
 public:
  Conv2dImpl(int64_t in_channels, int64_t out_channels, ExpandingArray<2> kernel_size)
      : Conv2dImpl(Conv2dOptions(in_channels, out_channels, kernel_size)) {}
  explicit Conv2dImpl(const Conv2dOptions& options) : ConvNdImpl(options) { make_parameters(); }
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(Conv2d);

class TENSORLIB_API ConvTranspose2dImpl : public ConvNdImpl<2, ConvTranspose2dOptions> {
 public:
  ConvTranspose2dImpl(int64_t in_channels, int64_t out_channels, ExpandingArray<2> kernel_size)
      : ConvTranspose2dImpl(ConvTranspose2dOptions(in_channels, out_channels, kernel_size)) {}
  explicit ConvTranspose2dImpl(const ConvTranspose2dOptions& options) : ConvNdImpl(options) {
    make_parameters();
  }
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  TENSORLIB_CLONE;
};
TENSORLIB_MODULE(ConvTranspose2d);

}  // namespace tensorlib::nn
