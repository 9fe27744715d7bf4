// Operations that are made of others, gradients included.
#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "ops/geometry.h"
#include "tensorlib/factories.h"
#include "tensorlib/indexing.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

int64_t elements_over(const Tensor& self, IntArrayRef dims, const char* name, CallSite site) {
  if (dims.empty()) return self.numel();
  int64_t n = 1;
  for (const int64_t dim : dims) {
    const int64_t d = wrap_dim(dim, self.dim(), name, site);
    n *= self.dim() == 0 ? 1 : self.size(d);
  }
  return n;
}

// Of one element, unbiased, it is NaN, as 0 / 0 is.
Tensor variance(const char* name, const Tensor& self, IntArrayRef dims, bool unbiased, bool keepdim,
                CallSite site) {
  require_defined(self, "self", name, site);
  check_floating(name, site, {"self", self});
  const int64_t n = elements_over(self, dims, name, site);
  std::vector<int64_t> all;
  for (int64_t d = 0; dims.empty() && d < self.dim(); ++d) all.push_back(d);
  const IntArrayRef over = dims.empty() ? IntArrayRef(all) : dims;
  const Tensor centered = self.sub(self.mean(over, true, site), 1, site);
  const Tensor sum = centered.square(site).sum(over, keepdim, site);
  const auto divisor = static_cast<double>(unbiased ? n - 1 : n);
  return divisor > 0 ? sum.div(divisor, site) : sum.mul(NAN, site);
}

// Which elements of the last two dimensions are on the diagonal or below it.
Tensor lower(const char* name, const Tensor& self, int64_t diagonal, CallSite site) {
  require_defined(self, "self", name, site);
  if (self.dim() < 2) {
    throw ShapeError(str_cat(name, ": expected two dimensions or more, got shape ", self.sizes()),
                     site);
  }
  diagonal = std::clamp(diagonal, -self.size(-2) - 1, self.size(-1));  // all the same beyond
  const TensorOptions options = TensorOptions(self.device()).dtype(kLong);
  const Tensor rows = arange(0, self.size(-2), options, site).unsqueeze(1, site);
  const Tensor columns = arange(0, self.size(-1), options, site);
  return columns.le(rows.add(diagonal, 1, site), site);
}

Tensor truth(const char* name, const char* argument, const Tensor& self, CallSite site) {
  require_defined(self, argument, name, site);
  return self.dtype() == kBool ? self : self.detach(site).ne(0, site);
}

}  // namespace

Tensor Tensor::var(IntArrayRef dims, bool unbiased, bool keepdim, CallSite site) const {
  return variance("var", *this, dims, unbiased, keepdim, site);
}
Tensor Tensor::var(bool unbiased, CallSite site) const {
  return variance("var", *this, {}, unbiased, false, site);
}
Tensor Tensor::std(IntArrayRef dims, bool unbiased, bool keepdim, CallSite site) const {
  return variance("std", *this, dims, unbiased, keepdim, site).sqrt(site);
}
Tensor Tensor::std(bool unbiased, CallSite site) const {
  return variance("std", *this, {}, unbiased, false, site).sqrt(site);
}

Tensor Tensor::tril(int64_t diagonal, CallSite site) const {
  return masked_fill(lower("tril", *this, diagonal, site).logical_not(site), 0, site);
}
Tensor Tensor::triu(int64_t diagonal, CallSite site) const {
  const int64_t below = std::max(diagonal, std::numeric_limits<int64_t>::min() + 1) - 1;
  return masked_fill(lower("triu", *this, below, site), 0, site);
}

std::tuple<Tensor, Tensor> Tensor::sort(int64_t dim, bool descending, CallSite site) const {
  require_defined(*this, "self", "sort", site);
  const int64_t d = wrap_dim(dim, this->dim(), "sort", site);
  if (dtype() == kBool) {
    const auto [values, indices] = to(kByte, false, false, site).sort(d, descending, site);
    return {values.to(kBool, false, false, site), indices};
  }
  return topk(this->dim() == 0 ? 1 : size(d), d, descending, true, site);
}
Tensor Tensor::argsort(int64_t dim, bool descending, CallSite site) const {
  return std::get<1>(sort(dim, descending, site));
}

Tensor Tensor::logical_not(CallSite site) const {
  require_defined(*this, "self", "logical_not", site);
  return eq(0, site);
}
Tensor Tensor::bitwise_not(CallSite site) const {
  require_defined(*this, "self", "bitwise_not", site);
  return dtype() == kBool ? eq(false, site) : bitwise_xor(-1, site);
}
Tensor Tensor::logical_and(const Tensor& other, CallSite site) const {
  return truth("logical_and", "self", *this, site)
      .bitwise_and(truth("logical_and", "other", other, site), site);
}
Tensor Tensor::logical_or(const Tensor& other, CallSite site) const {
  return truth("logical_or", "self", *this, site)
      .bitwise_or(truth("logical_or", "other", other, site), site);
}
Tensor Tensor::logical_xor(const Tensor& other, CallSite site) const {
  return truth("logical_xor", "self", *this, site)
      .bitwise_xor(truth("logical_xor", "other", other, site), site);
}
Tensor Tensor::isnan(CallSite site) const { return ne(*this, site); }

Tensor Tensor::masked_select(const Tensor& mask, CallSite site) const {
  require_defined(*this, "self", "masked_select", site);
  require_defined(mask, "mask", "masked_select", site);
  if (mask.dtype() != kBool) {
    throw DTypeMismatchError(
        str_cat("masked_select: the mask is ", name_of(mask.dtype()), ", not bool"), site);
  }
  check_same_device("masked_select", site, {{"self", *this}, {"mask", mask}});
  const Dims sizes = broadcast_sizes(*this, mask, "masked_select", site);
  return expand(sizes, site).index({mask.expand(sizes, site)}, site);
}

Tensor Tensor::repeat(IntArrayRef repeats, CallSite site) const {
  require_defined(*this, "self", "repeat", site);
  const int64_t added = static_cast<int64_t>(repeats.size()) - dim();
  if (added < 0) {
    throw ShapeError(
        str_cat("repeat: ", repeats.size(), " numbers for a tensor of ", dim(), " dimensions"),
        site);
  }
  std::vector<int64_t> sizes(static_cast<size_t>(added), 1);
  sizes.insert(sizes.end(), this->sizes().begin(), this->sizes().end());
  Tensor result = reshape(sizes, site);
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (repeats[d] < 0) throw ShapeError(str_cat("repeat: ", repeats[d], " times"), site);
    if (repeats[d] == 1) continue;
    // [..., n, ...] as [..., times, n, ...], which the copy makes one dimension again.
    std::vector<int64_t> apart = sizes;
    apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(d), repeats[d]);
    result = result.unsqueeze(static_cast<int64_t>(d), site).expand(apart, site);
    sizes[d] *= repeats[d];
    result = result.reshape(sizes, site);
  }
  return result.is_alias_of(*this) ? result.clone(site) : result;
}

Tensor Tensor::flip(IntArrayRef dims, CallSite site) const {
  require_defined(*this, "self", "flip", site);
  Tensor result = *this;
  std::vector<bool> seen(static_cast<size_t>(dim()));
  for (const int64_t given : dims) {
    const int64_t d = wrap_dim(given, dim(), "flip", site);
    if (dim() == 0) continue;
    if (seen[static_cast<size_t>(d)]) {
      throw Error(str_cat("flip: dimension ", d, " is named twice"), site);
    }
    seen[static_cast<size_t>(d)] = true;
    const Tensor backwards =
        arange(size(d) - 1, -1, -1, TensorOptions(device()).dtype(kLong), site);
    result = result.index_select(d, backwards, site);
  }
  return result.is_same(*this) ? clone(site) : result;
}

namespace {

void check_vectors(const char* name, const Tensor& self, int64_t dim, const Tensor& other,
                   const char* other_name, CallSite site) {
  require_defined(self, "self", name, site);
  require_defined(other, other_name, name, site);
  check_dim(name, site, {"self", self}, dim);
  check_dim(name, site, {other_name, other}, 1);
}

}  // namespace

Tensor Tensor::mv(const Tensor& vec, CallSite site) const {
  check_vectors("mv", *this, 2, vec, "vec", site);
  return matmul(vec, site);
}
Tensor Tensor::dot(const Tensor& other, CallSite site) const {
  check_vectors("dot", *this, 1, other, "other", site);
  return matmul(other, site);
}
Tensor Tensor::outer(const Tensor& vec2, CallSite site) const {
  check_vectors("outer", *this, 1, vec2, "vec2", site);
  return unsqueeze(1, site).mul(vec2, site);
}

Tensor Tensor::logsumexp(IntArrayRef dims, bool keepdim, CallSite site) const {
  require_defined(*this, "self", "logsumexp", site);
  check_floating("logsumexp", site, {"self", *this});
  // Less the largest, where that is a number at all.
  const Tensor largest = detach(site).amax(dims, true, site);
  const Tensor shift = largest.masked_fill(largest.abs(site).eq(INFINITY, site), 0, site);
  const Tensor log = sub(shift, 1, site).exp(site).sum(dims, true, site).log(site);
  const Tensor result = log.add(shift, 1, site);
  if (keepdim) return result;
  Tensor shape = detach(site).sum(dims, false, site);
  return result.reshape(shape.sizes(), site);
}

Tensor concat(ArrayRef<Tensor> tensors, int64_t dim, CallSite site) {
  return cat(tensors, dim, site);
}

Tensor pow(Scalar self, const Tensor& exponent, CallSite site) {
  const TensorImpl& impl = require_defined(exponent, "exponent", "pow", site);
  TensorOptions options(kCPU);
  if (self.isFloatingPoint()) {
    // The number takes the exponent's type; a wide one loses nothing of it.
    const bool floating = isFloatingType(impl.dtype);
    options = options.dtype(!floating ? kFloat : impl.sizes.empty() ? impl.dtype : kDouble);
  }
  return full({}, self, options, site).pow(exponent, site);
}

Tensor gelu(const Tensor& self, CallSite site) {
  require_defined(self, "self", "gelu", site);
  check_floating("gelu", site, {"self", self});
  return self.mul(self.mul(M_SQRT1_2, site).erf(site).add(1, 1, site), site).mul(0.5, site);
}
Tensor silu(const Tensor& self, CallSite site) {
  require_defined(self, "self", "silu", site);
  check_floating("silu", site, {"self", self});
  return self.mul(self.sigmoid(site), site);
}

Tensor one_hot(const Tensor& self, int64_t num_classes, CallSite site) {
  require_defined(self, "self", "one_hot", site);
  if (self.dtype() != kLong) {
    throw DTypeMismatchError(
        str_cat("one_hot: the classes are ", name_of(self.dtype()), ", not int64"), site);
  }
  if (num_classes == 0 || num_classes < -1) {
    throw Error(str_cat("one_hot: ", num_classes, " classes"), site);
  }
  // Not where that would wait for a device and was not asked for.
  if (self.numel() > 0 && (num_classes < 0 || self.is_cpu())) {
    const int64_t largest = self.max(site).item(site).toLong();
    if (num_classes < 0 && largest < std::numeric_limits<int64_t>::max()) num_classes = largest + 1;
    if (largest >= num_classes || self.min(site).item(site).toLong() < 0) {
      throw IndexError(str_cat("one_hot: a class that is not in [0, ", num_classes, ")"), site);
    }
  }
  if (num_classes < 0) throw Error("one_hot: num_classes of an empty tensor must be given", site);
  const Tensor classes = arange(0, num_classes, TensorOptions(self.device()).dtype(kLong), site);
  return self.unsqueeze(-1, site).eq(classes, site).to(kLong, false, false, site);
}

}  // namespace tensorlib
