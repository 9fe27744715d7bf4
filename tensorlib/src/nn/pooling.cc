// The layers of pooling.
#include <ostream>

#include "core/check.h"
#include "nn/layer.h"
#include "tensorlib/composed.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn {

Tensor MaxPool2dImpl::forward(const Tensor& input, CallSite site) const {
  return max_pool2d(input, options.kernel_size(), options.stride(), options.padding(),
                    options.dilation(), options.ceil_mode(), site);
}
void MaxPool2dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::MaxPool2d(kernel_size=" << options.kernel_size()
      << ", stride=" << options.stride() << ", padding=" << options.padding()
      << ", dilation=" << options.dilation() << ", ceil_mode=" << text(options.ceil_mode()) << ")";
}

Tensor AvgPool2dImpl::forward(const Tensor& input, CallSite site) const {
  return avg_pool2d(input, options.kernel_size(), options.stride(), options.padding(),
                    options.ceil_mode(), options.count_include_pad(), site);
}
void AvgPool2dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::AvgPool2d(kernel_size=" << options.kernel_size()
      << ", stride=" << options.stride() << ", padding=" << options.padding() << ")";
}

Tensor AdaptiveAvgPool2dImpl::forward(const Tensor& input, CallSite site) const {
  return adaptive_avg_pool2d(input, options.output_size(), site);
}
void AdaptiveAvgPool2dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::AdaptiveAvgPool2d(output_size=" << options.output_size() << ")";
}

Tensor MaxPool1dImpl::forward(const Tensor& input, CallSite site) const {
  return max_pool1d(input, options.kernel_size(), options.stride(), options.padding(),
                    options.dilation(), options.ceil_mode(), site);
}
void MaxPool1dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::MaxPool1d(kernel_size=" << options.kernel_size()
      << ", stride=" << options.stride() << ", padding=" << options.padding()
      << ", dilation=" << options.dilation() << ", ceil_mode=" << text(options.ceil_mode()) << ")";
}
Tensor AvgPool1dImpl::forward(const Tensor& input, CallSite site) const {
  return avg_pool1d(input, options.kernel_size(), options.stride(), options.padding(),
                    options.ceil_mode(), options.count_include_pad(), site);
}
void AvgPool1dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::AvgPool1d(kernel_size=" << options.kernel_size()
      << ", stride=" << options.stride() << ", padding=" << options.padding() << ")";
}
Tensor AdaptiveAvgPool1dImpl::forward(const Tensor& input, CallSite site) const {
  return adaptive_avg_pool1d(input, options.output_size(), site);
}
void AdaptiveAvgPool1dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::AdaptiveAvgPool1d(output_size=" << options.output_size() << ")";
}
Tensor AdaptiveMaxPool2dImpl::forward(const Tensor& input, CallSite site) const {
  return std::get<0>(adaptive_max_pool2d(input, options.output_size(), site));
}
void AdaptiveMaxPool2dImpl::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::AdaptiveMaxPool2d(output_size=" << options.output_size() << ")";
}

}  // namespace tensorlib::nn
