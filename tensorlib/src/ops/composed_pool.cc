// Pooling that is made of other operations: of one dimension, by pooling images of one row; the
// largest of shares.
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/composed.h"

namespace tensorlib {

namespace {

// [N, C, L] as images of one row, through a pooling of images.
template <class Pool>
Tensor pooled(const char* name, const Tensor& input, CallSite site, const Pool& pool) {
  require_defined(input, "input", name, site);
  if (input.dim() != 2 && input.dim() != 3) {
    throw ShapeError(str_cat(name, ": expected [N, C, L] or [C, L], got shape ", input.sizes()),
                     site);
  }
  return pool(input.unsqueeze(-2, site)).squeeze(-2, site);
}

int64_t one(const char* name, IntArrayRef numbers, CallSite site) {
  if (numbers.size() == 1) return numbers[0];
  throw ShapeError(str_cat(name, ": one number for the one dimension, not ", numbers), site);
}

}  // namespace

Tensor max_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, CallSite site) {
  const auto number = [&](IntArrayRef numbers) { return one("max_pool1d", numbers, site); };
  return pooled("max_pool1d", input, site, [&](const Tensor& x) {
    const int64_t kernel = number(kernel_size);
    return max_pool2d(x, {1, kernel}, {1, stride.empty() ? kernel : number(stride)},
                      {0, number(padding)}, {1, number(dilation)}, ceil_mode, site);
  });
}
Tensor avg_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, bool ceil_mode, bool count_include_pad, CallSite site) {
  const auto number = [&](IntArrayRef numbers) { return one("avg_pool1d", numbers, site); };
  return pooled("avg_pool1d", input, site, [&](const Tensor& x) {
    const int64_t kernel = number(kernel_size);
    return avg_pool2d(x, {1, kernel}, {1, stride.empty() ? kernel : number(stride)},
                      {0, number(padding)}, ceil_mode, count_include_pad, site);
  });
}
Tensor adaptive_avg_pool1d(const Tensor& input, IntArrayRef output_size, CallSite site) {
  return pooled("adaptive_avg_pool1d", input, site, [&](const Tensor& x) {
    return adaptive_avg_pool2d(x, {1, one("adaptive_avg_pool1d", output_size, site)}, site);
  });
}

namespace {

// The largest of each of `out` parts of dimension d, and where in it.
std::tuple<Tensor, Tensor> largest_parts(const Tensor& x, int64_t d, int64_t out, CallSite site) {
  const int64_t n = x.size(d);
  std::vector<Tensor> values, places;
  for (int64_t i = 0; i < out; ++i) {
    const int64_t first = i * n / out, end = ((i + 1) * n + out - 1) / out;
    const auto [value, place] = x.narrow(d, first, end - first, site).max(d, true, site);
    values.push_back(value);
    places.push_back(place.add(first, 1, site));
  }
  return {cat(values, d, site), cat(places, d, site)};
}

}  // namespace

std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& input, IntArrayRef output_size,
                                               CallSite site) {
  require_defined(input, "input", "adaptive_max_pool2d", site);
  const IntArrayRef& size = output_size;
  if (size.size() != 2 || size[0] < 1 || size[1] < 1 || (input.dim() != 3 && input.dim() != 4) ||
      input.size(-1) == 0 || input.size(-2) == 0) {
    throw ShapeError(
        str_cat(
            "adaptive_max_pool2d: expected [N, C, H, W] or [C, H, W] and two output sizes, got ",
            input.sizes(), " to ", size),
        site);
  }
  // Rows first: of equal ones the first in row-major order stays.
  const auto [in_rows, columns] = largest_parts(input, input.dim() - 1, size[1], site);
  const auto [values, rows] = largest_parts(in_rows, input.dim() - 2, size[0], site);
  const Tensor column = columns.gather(input.dim() - 2, rows, site);
  return {values, rows.mul(input.size(-1), site).add(column, 1, site)};
}

}  // namespace tensorlib
