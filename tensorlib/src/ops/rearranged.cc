// Elements in other places, and products of all along a dimension: roll, diag, meshgrid,
// pixel_shuffle, prod. Made of recorded operations.
#include <algorithm>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/composed.h"
#include "tensorlib/factories.h"
#include "tensorlib/indexing.h"
#include "tensorlib/ops.h"

namespace tensorlib {

Tensor Tensor::roll(IntArrayRef shifts, IntArrayRef dims, CallSite site) const {
  require_defined(*this, "self", "roll", site);
  if (dims.empty() && shifts.size() == 1) {
    return reshape({-1}, site).roll(shifts, 0, site).view(sizes(), site);
  }
  if (shifts.empty() || shifts.size() != dims.size()) {
    throw Error(str_cat("roll: ", shifts.size(), " shifts of ", dims.size(), " dimensions"), site);
  }
  Tensor result = *this;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t d = wrap_dim(dims[i], dim(), "roll", site);
    const int64_t n = dim() == 0 ? 1 : size(d);
    if (n <= 1) continue;
    const int64_t start = (n - shifts[i] % n) % n;  // of what is first then
    if (start == 0) continue;
    const auto parts = result.split_with_sizes({start, n - start}, d, site);
    result = cat({parts[1], parts[0]}, d, site);
  }
  return result.is_same(*this) ? clone(site) : result;
}

Tensor Tensor::diag(int64_t diagonal, CallSite site) const {
  require_defined(*this, "self", "diag", site);
  if (dim() != 1 && dim() != 2) {
    throw ShapeError(str_cat("diag: expected a vector or a matrix, got shape ", sizes()), site);
  }
  constexpr int64_t kFarthest = int64_t{1} << 40;
  if (diagonal < -kFarthest || diagonal > kFarthest) {
    throw ShapeError(str_cat("diag: there is no diagonal ", diagonal, " of shape ", sizes()), site);
  }
  const int64_t down = std::max<int64_t>(0, -diagonal), right = std::max<int64_t>(0, diagonal);
  const int64_t n =
      dim() == 1 ? size(0) : std::max<int64_t>(0, std::min(size(0) - down, size(1) - right));
  const TensorOptions places = TensorOptions(device()).dtype(kLong);
  const Tensor rows = arange(down, down + n, places, site);
  const Tensor columns = arange(right, right + n, places, site);
  if (dim() == 2) return index({rows, columns}, site);
  const int64_t side = n + down + right;
  return zeros({side, side}, options(), site).index_put({rows, columns}, *this, false, site);
}

std::vector<Tensor> meshgrid(ArrayRef<Tensor> tensors, std::string_view indexing, CallSite site) {
  if (tensors.empty()) throw Error("meshgrid: the list of tensors is empty", site);
  if (indexing != "ij" && indexing != "xy") {
    throw Error(str_cat("meshgrid: the indexing is \"ij\" or \"xy\", not \"", indexing, "\""),
                site);
  }
  std::vector<int64_t> sizes;
  for (const Tensor& tensor : tensors) {
    require_defined(tensor, "tensors[...]", "meshgrid", site);
    check_same_device("meshgrid", site, {{"tensors[0]", tensors[0]}, {"tensors[...]", tensor}});
    if (tensor.dim() > 1) {
      throw ShapeError(str_cat("meshgrid: expected vectors, got shape ", tensor.sizes()), site);
    }
    sizes.push_back(tensor.numel());
  }
  std::vector<Tensor> result;
  for (size_t i = 0; i < tensors.size(); ++i) {
    std::vector<int64_t> own(sizes.size(), 1);
    own[i] = sizes[i];
    const Tensor grid = tensors[i].reshape(own, site).expand(sizes, site);
    const bool swaps = indexing == "xy" && sizes.size() > 1;
    result.push_back(swaps ? grid.transpose(0, 1, site) : grid);
  }
  return result;
}

namespace {

// Of pairs, and pairs of these: exact gradients where elements are 0, and of any order.
Tensor product_along(Tensor x, int64_t d, CallSite site) {
  if (x.size(d) == 0) {
    std::vector<int64_t> sizes = x.sizes().vec();
    sizes[static_cast<size_t>(d)] = 1;
    return ones(sizes, x.options(), site);
  }
  while (x.size(d) > 1) {
    const std::vector<Tensor> parts = x.split(x.size(d) / 2, d, site);
    x = parts[0].mul(parts[1], site);
    if (parts.size() > 2) x = cat({x, parts[2]}, d, site);
  }
  return x;
}

// In the type that products are kept in: integers as int64, two bytes as four.
Tensor widened(const Tensor& self, std::optional<ScalarType> dtype, CallSite site) {
  const ScalarType type = dtype.value_or(self.is_floating_point() ? self.dtype() : kLong);
  const Tensor given = self.to(type, false, false, site);
  return isReducedFloatingType(type) ? given.to(kFloat, false, false, site) : given;
}

Tensor narrowed(const Tensor& result, const Tensor& self, std::optional<ScalarType> dtype,
                CallSite site) {
  const ScalarType type = dtype.value_or(self.is_floating_point() ? self.dtype() : kLong);
  return result.to(type, false, false, site);
}

}  // namespace

Tensor Tensor::prod(int64_t dim, bool keepdim, std::optional<ScalarType> dtype,
                    CallSite site) const {
  require_defined(*this, "self", "prod", site);
  const int64_t d = wrap_dim(dim, this->dim(), "prod", site);
  const Tensor x = widened(*this, dtype, site);
  if (this->dim() == 0) return narrowed(x, *this, dtype, site).clone(site);
  const Tensor result = product_along(x, d, site);
  return narrowed(keepdim ? result : result.squeeze(d, site), *this, dtype, site);
}

Tensor Tensor::prod(std::optional<ScalarType> dtype, CallSite site) const {
  require_defined(*this, "self", "prod", site);
  return reshape({-1}, site).prod(0, false, dtype, site);
}

Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor, CallSite site) {
  require_defined(self, "self", "pixel_shuffle", site);
  const int64_t r = upscale_factor, rank = self.dim();
  if (rank < 3 || r < 1 || r > (1 << 20) || self.size(-3) % (r * r) != 0) {
    throw ShapeError(str_cat("pixel_shuffle: by ", r, " of a tensor of shape ", self.sizes()),
                     site);
  }
  std::vector<int64_t> apart(self.sizes().begin(), self.sizes().end() - 3);
  std::vector<int64_t> together = apart, order;
  for (int64_t i = 0; i < rank - 3; ++i) order.push_back(i);
  const int64_t c = self.size(-3) / (r * r), h = self.size(-2), w = self.size(-1);
  apart.insert(apart.end(), {c, r, r, h, w});
  together.insert(together.end(), {c, h * r, w * r});
  for (const int64_t i : {0, 3, 1, 4, 2}) order.push_back(rank - 3 + i);
  return self.reshape(apart, site).permute(order, site).reshape(together, site);
}

}  // namespace tensorlib
