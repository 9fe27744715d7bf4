// Pooling layers.
#pragma once

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

struct MaxPool2dOptions {
  MaxPool2dOptions(ExpandingArray<2> kernel_size)
      : kernel_size_(kernel_size), stride_(kernel_size) {}
  TENSORLIB_OPTION(ExpandingArray<2>, kernel_size);
  TENSORLIB_OPTION(ExpandingArray<2>, stride);
  TENSORLIB_OPTION(ExpandingArray<2>, padding) = 0;
  TENSORLIB_OPTION(ExpandingArray<2>, dilation) = 1;
  TENSORLIB_OPTION(bool, ceil_mode) = false;
};

class TENSORLIB_API MaxPool2dImpl : public Module {
 public:
  MaxPool2dImpl(ExpandingArray<2> kernel_size) : MaxPool2dImpl(MaxPool2dOptions(kernel_size)) {}
  explicit MaxPool2dImpl(const MaxPool2dOptions& options) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  MaxPool2dOptions options;
};
TENSORLIB_MODULE(MaxPool2d);

struct AvgPool2dOptions {
  AvgPool2dOptions(ExpandingArray<2> kernel_size)
      : kernel_size_(kernel_size), stride_(kernel_size) {}
  TENSORLIB_OPTION(ExpandingArray<2>, kernel_size);
  TENSORLIB_OPTION(ExpandingArray<2>, stride);
  TENSORLIB_OPTION(ExpandingArray<2>, padding) = 0;
  TENSORLIB_OPTION(bool, ceil_mode) = false;
  TENSORLIB_OPTION(bool, count_include_pad) = true;
};

class TENSORLIB_API AvgPool2dImpl : public Module {
 public:
  AvgPool2dImpl(ExpandingArray<2> kernel_size) : AvgPool2dImpl(AvgPool2dOptions(kernel_size)) {}
  explicit AvgPool2dImpl(const AvgPool2dOptions& options) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  AvgPool2dOptions options;
};
TENSORLIB_MODULE(AvgPool2d);

struct AdaptiveAvgPool2dOptions {
  AdaptiveAvgPool2dOptions(ExpandingArray<2> output_size) : output_size_(output_size) {}
  TENSORLIB_OPTION(ExpandingArray<2>, output_size);
};

class TENSORLIB_API AdaptiveAvgPool2dImpl : public Module {
 public:
  AdaptiveAvgPool2dImpl(ExpandingArray<2> output_size)
      : AdaptiveAvgPool2dImpl(AdaptiveAvgPool2dOptions(output_size)) {}
  explicit AdaptiveAvgPool2dImpl(const AdaptiveAvgPool2dOptions& options) : options(options) {}
  TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const;
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  AdaptiveAvgPool2dOptions options;
};
TENSORLIB_MODULE(AdaptiveAvgPool2d);

// The same of [N, C, L] or [C, L].
struct MaxPool1dOptions {
  MaxPool1dOptions(ExpandingArray<1> kernel_size)
      : kernel_size_(kernel_size), stride_(kernel_size) {}
  TENSORLIB_OPTION(ExpandingArray<1>, kernel_size);
  TENSORLIB_OPTION(ExpandingArray<1>, stride);
  TENSORLIB_OPTION(ExpandingArray<1>, padding) = 0;
  TENSORLIB_OPTION(ExpandingArray<1>, dilation) = 1;
  TENSORLIB_OPTION(bool, ceil_mode) = false;
};
struct AvgPool1dOptions {
  AvgPool1dOptions(ExpandingArray<1> kernel_size)
      : kernel_size_(kernel_size), stride_(kernel_size) {}
  TENSORLIB_OPTION(ExpandingArray<1>, kernel_size);
  TENSORLIB_OPTION(ExpandingArray<1>, stride);
  TENSORLIB_OPTION(ExpandingArray<1>, padding) = 0;
  TENSORLIB_OPTION(bool, ceil_mode) = false;
  TENSORLIB_OPTION(bool, count_include_pad) = true;
};
struct AdaptiveAvgPool1dOptions {
  AdaptiveAvgPool1dOptions(ExpandingArray<1> output_size) : output_size_(output_size) {}
  TENSORLIB_OPTION(ExpandingArray<1>, output_size);
};
struct AdaptiveMaxPool2dOptions {
  AdaptiveMaxPool2dOptions(ExpandingArray<2> output_size) : output_size_(output_size) {}
  TENSORLIB_OPTION(ExpandingArray<2>, output_size);
};
#define TENSORLIB_POOL(Name, D, number)                                                            \
  class TENSORLIB_API Name##Impl : public Module {                                                 \
   public:                                                                                         \
    Name##Impl(ExpandingArray<D> number) : Name##Impl(Name##Options(number)) {}                    \
    explicit Name##Impl(const Name##Options& options) : options(options) {}                        \
    TENSORLIB_PURE Tensor forward(const Tensor& input, CallSite site = CallSite::current()) const; \
    void pretty_print(std::ostream& out) const override;                                           \
    TENSORLIB_CLONE;                                                                               \
                                                                                                   \
    Name##Options options;                                                                         \
  };                                                                                               \
  TENSORLIB_MODULE(Name)
TENSORLIB_POOL(MaxPool1d, 1, kernel_size);
TENSORLIB_POOL(AvgPool1d, 1, kernel_size);
TENSORLIB_POOL(AdaptiveAvgPool1d, 1, output_size);
TENSORLIB_POOL(AdaptiveMaxPool2d, 2, output_size);
#undef TENSORLIB_POOL

}  // namespace tensorlib::nn
