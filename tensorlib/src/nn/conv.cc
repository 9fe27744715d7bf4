// Convolutions as layers.
#include <ostream>

#include "core/check.h"
#include "nn/layer.h"

namespace tensorlib::nn {

namespace {

template <class Options>
void check_groups(const char* name, const Options& options) {
  if (options.groups() >= 1 && options.in_channels() % options.groups() == 0 &&
      options.out_channels() % options.groups() == 0) {
    return;
  }
  throw ShapeError(str_cat(name, ": ", options.in_channels(), " and ", options.out_channels(),
                           " channels cannot be split into ", options.groups(), " groups"),
                   CallSite::none());
}

// Whether all numbers are `value`.
template <class Numbers>
bool all_are(const Numbers& numbers, int64_t value) {
  for (const int64_t number : IntArrayRef(numbers)) {
    if (number != value) return false;
  }
  return true;
}

template <size_t D>
std::vector<int64_t> weight_sizes(int64_t rows, int64_t columns, const ExpandingArray<D>& kernel) {
  std::vector<int64_t> sizes{rows, columns};
  for (size_t d = 0; d < D; ++d) sizes.push_back(kernel[d]);
  return sizes;
}
template <size_t D>
std::vector<int64_t> weight_sizes(const ConvOptions<D>& options) {
  return weight_sizes(options.out_channels(), options.in_channels() / options.groups(),
                      options.kernel_size());
}
template <size_t D>
std::vector<int64_t> weight_sizes(const ConvTransposeOptions<D>& options) {
  return weight_sizes(options.in_channels(), options.out_channels() / options.groups(),
                      options.kernel_size());
}

template <size_t D>
const char* own_name(const ConvOptions<D>&) {
  return D == 1 ? "Conv1d" : "Conv2d";
}
template <size_t D>
const char* own_name(const ConvTransposeOptions<D>&) {
  return D == 1 ? "ConvTranspose1d" : "ConvTranspose2d";
}

template <size_t D>
void print_more(std::ostream&, const ConvOptions<D>&) {}
template <size_t D>
void print_more(std::ostream& out, const ConvTransposeOptions<D>& options) {
  if (!all_are(options.output_padding(), 0)) {
    out << ", output_padding=" << options.output_padding();
  }
}

}  // namespace

template <size_t D, class Options>
void ConvNdImpl<D, Options>::make_parameters() {
  check_groups(own_name(options), options);
  weight = register_parameter("weight", make(weight_sizes(options)));
  if (options.bias()) bias = register_parameter("bias", make({options.out_channels()}));
  reset_parameters();
}
template <size_t D, class Options>
void ConvNdImpl<D, Options>::reset_parameters() {
  reset_uniform(weight, bias);
}
template <size_t D, class Options>
void ConvNdImpl<D, Options>::pretty_print(std::ostream& out) const {
  out << "tensorlib::nn::" << own_name(options) << "(" << options.in_channels() << ", "
      << options.out_channels() << ", kernel_size=" << options.kernel_size()
      << ", stride=" << options.stride();
  if (!all_are(options.padding(), 0)) out << ", padding=" << options.padding();
  if (!all_are(options.dilation(), 1)) out << ", dilation=" << options.dilation();
  if (options.groups() != 1) out << ", groups=" << options.groups();
  if (!options.bias()) out << ", bias=false";
  print_more(out, options);
  out << ")";
}
template class ConvNdImpl<1, Conv1dOptions>;
template class ConvNdImpl<2, Conv2dOptions>;
template class ConvNdImpl<2, ConvTranspose2dOptions>;

Tensor Conv1dImpl::forward(const Tensor& input, CallSite site) const {
  return conv1d(input, weight, bias, options.stride(), options.padding(), options.dilation(),
                options.groups(), site);
}
Tensor Conv2dImpl::forward(const Tensor& input, CallSite site) const {
  return conv2d(input, weight, bias, options.stride(), options.padding(), options.dilation(),
                options.groups(), site);
}
Tensor ConvTranspose2dImpl::forward(const Tensor& input, CallSite site) const {
  return conv_transpose2d(input, weight, bias, options.stride(), options.padding(),
                          options.output_padding(), options.groups(), options.dilation(), site);
}

}  // namespace tensorlib::nn
