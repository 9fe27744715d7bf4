// Conv1d, Conv2d and ConvTranspose2d.
#pragma once

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

struct Conv1dOptions {
  Conv1dOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<1> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  TENSORLIB_OPTION(int64_t, in_channels);
  TENSORLIB_OPTION(int64_t, out_channels);
  TENSORLIB_OPTION(ExpandingArray<1>, kernel_size);
  TENSORLIB_OPTION(ExpandingArray<1>, stride) = 1;
  TENSORLIB_OPTION(ExpandingArray<1>, padding) = 0;
  TENSORLIB_OPTION(ExpandingArray<1>, dilation) = 1;
  TENSORLIB_OPTION(int64_t, groups) = 1;
  TENSORLIB_OPTION(bool, bias) = true;
};

// Of [N, C, L] or [C, L].
class TENSORLIB_API Conv1dImpl : public Module {
 public:
  Conv1dImpl(int64_t in_channels, int64_t out_channels, ExpandingArray<1> kernel_size)
      : Conv1dImpl(Conv1dOptions(in_channels, out_channels, kernel_size)) {}
  explicit Conv1dImpl(const Conv1dOptions& options);
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;

  Conv1dOptions options;
  Tensor weight, bias;
};
TENSORLIB_MODULE(Conv1d);

struct Conv2dOptions {
  Conv2dOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<2> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  TENSORLIB_OPTION(int64_t, in_channels);
  TENSORLIB_OPTION(int64_t, out_channels);
  TENSORLIB_OPTION(ExpandingArray<2>, kernel_size);
  TENSORLIB_OPTION(ExpandingArray<2>, stride) = 1;
  TENSORLIB_OPTION(ExpandingArray<2>, padding) = 0;
  TENSORLIB_OPTION(ExpandingArray<2>, dilation) = 1;
  TENSORLIB_OPTION(int64_t, groups) = 1;
  TENSORLIB_OPTION(bool, bias) = true;
};

class TENSORLIB_API Conv2dImpl : public Module {
 public:
  Conv2dImpl(int64_t in_channels, int64_t out_channels, ExpandingArray<2> kernel_size)
      : Conv2dImpl(Conv2dOptions(in_channels, out_channels, kernel_size)) {}
  explicit Conv2dImpl(const Conv2dOptions& options);
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;

  Conv2dOptions options;
  Tensor weight, bias;
};
TENSORLIB_MODULE(Conv2d);

struct ConvTranspose2dOptions : Conv2dOptions {
  using Conv2dOptions::Conv2dOptions;
#define TENSORLIB_INHERITED(type, name)               \
  using Conv2dOptions::name;                          \
  ConvTranspose2dOptions& name(const type& value) {   \
    return Conv2dOptions::name(value), *this;         \
  }
  TENSORLIB_INHERITED(ExpandingArray<2>, stride)
  TENSORLIB_INHERITED(ExpandingArray<2>, padding)
  TENSORLIB_INHERITED(ExpandingArray<2>, dilation)
  TENSORLIB_INHERITED(int64_t, groups)
  TENSORLIB_INHERITED(bool, bias)
#undef TENSORLIB_INHERITED
  TENSORLIB_OPTION(ExpandingArray<2>, output_padding) = 0;
};

class TENSORLIB_API ConvTranspose2dImpl : public Module {
 public:
  ConvTranspose2dImpl(int64_t in_channels, int64_t out_channels, ExpandingArray<2> kernel_size)
      : ConvTranspose2dImpl(ConvTranspose2dOptions(in_channels, out_channels, kernel_size)) {}
  explicit ConvTranspose2dImpl(const ConvTranspose2dOptions& options);
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;

  ConvTranspose2dOptions options;
  Tensor weight, bias;
};
TENSORLIB_MODULE(ConvTranspose2d);

}  // namespace tensorlib::nn
