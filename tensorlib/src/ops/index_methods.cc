// Slices and elements by their places, made of index_put_ and pick: index_add, index_copy,
// index_fill, scatter, scatter_add, take, repeat_interleave, unfold; and the views diagonal and
// movedim.
#include <algorithm>

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "ops/index.h"
#include "tensorlib/factories.h"
#include "tensorlib/indexing.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// The same places, looked at: negative ones do not count from the end, as they do in index().
Tensor in_range(const char* name, const Tensor& index, int64_t n, CallSite site) {
  const TensorOptions options = TensorOptions(index.device()).dtype(kLong);
  return pick(name, arange(0, n, options, site), 0, index, site);
}

void check_type(const char* name, const Tensor& self, const char* other_name, const Tensor& other,
                CallSite site) {
  if (self.dtype() != other.dtype()) {
    throw_dtype_mismatch(name, site, {{"self", self}, {other_name, other}});
  }
}

// The vector of places of a dimension's slices.
Tensor slices(const char* name, const Tensor& self, int64_t& dim, const Tensor& index,
              CallSite site) {
  require_defined(self, "self", name, site);
  require_defined(index, "index", name, site);
  dim = wrap_dim(dim, self.dim(), name, site);
  if (self.dim() == 0 || index.dim() > 1) {
    throw ShapeError(
        str_cat(name, ": expected a vector of places in a dimension as the index, got shape ",
                index.sizes(), ", the tensor ", self.sizes()),
        site);
  }
  check_same_device(name, site, {{"self", self}, {"index", index}});
  return in_range(name, index.dim() == 0 ? index.view({1}, site) : index, self.size(dim), site);
}

Tensor& put_slices(const char* name, const Tensor& self, int64_t dim, const Tensor& index,
                   const Tensor& source, bool accumulate, CallSite site) {
  const Tensor places = slices(name, self, dim, index, site);
  require_defined(source, "source", name, site);
  check_same_device(name, site, {{"self", self}, {"source", source}});
  check_type(name, self, "source", source, site);
  std::vector<int64_t> wanted = self.sizes().vec();
  wanted[static_cast<size_t>(dim)] = places.numel();
  const bool is_slice = source.dim() == 0 && places.numel() == 1 && self.dim() == 1;
  if (!is_slice && source.sizes() != IntArrayRef(wanted)) {
    throw ShapeError(str_cat(name, ": source has shape ", source.sizes(), ", and the slices ",
                             IntArrayRef(wanted)),
                     site);
  }
  std::vector<indexing::TensorIndex> entries(static_cast<size_t>(dim), indexing::Slice());
  entries.emplace_back(places);
  return self.index_put_(entries, source, accumulate, site);
}

// Entries for index_put_ that name self[i][index[i][j]] and the like.
std::vector<indexing::TensorIndex> each(const char* name, const Tensor& self, int64_t dim,
                                        const Tensor& index, const Tensor& src, CallSite site) {
  require_defined(self, "self", name, site);
  require_defined(index, "index", name, site);
  require_defined(src, "src", name, site);
  check_same_device(name, site, {{"self", self}, {"index", index}, {"src", src}});
  check_type(name, self, "src", src, site);
  if (index.dtype() != kLong) {
    throw DTypeMismatchError(str_cat(name, ": index is ", name_of(index.dtype()), ", not int64"),
                             site);
  }
  const int64_t d = wrap_dim(dim, self.dim(), name, site);
  bool fits = self.dim() > 0 && index.dim() == self.dim() && src.dim() == self.dim();
  for (int64_t i = 0; fits && i < self.dim(); ++i) {
    fits = (i == d || index.size(i) <= self.size(i)) && index.size(i) <= src.size(i);
  }
  if (!fits && index.numel() > 0) {
    throw ShapeError(str_cat(name, ": an index of shape ", index.sizes(), " and numbers of ",
                             src.sizes(), " do not fit a tensor of ", self.sizes()),
                     site);
  }
  std::vector<indexing::TensorIndex> entries;
  const TensorOptions options = TensorOptions(self.device()).dtype(kLong);
  for (int64_t i = 0; i < index.dim(); ++i) {
    if (i == d) {
      entries.emplace_back(in_range(name, index, self.size(d), site));
      continue;
    }
    std::vector<int64_t> own(static_cast<size_t>(index.dim()), 1);
    own[static_cast<size_t>(i)] = index.size(i);
    entries.emplace_back(arange(0, index.size(i), options, site).view(own, site));
  }
  return entries;
}

Tensor& put_each(const char* name, const Tensor& self, int64_t dim, const Tensor& index,
                 const Tensor& src, bool accumulate, CallSite site) {
  const auto entries = each(name, self, dim, index, src, site);
  if (index.numel() == 0) return const_cast<Tensor&>(self);
  Tensor values = src;
  for (int64_t i = 0; i < index.dim(); ++i) {
    if (src.size(i) != index.size(i)) values = values.narrow(i, 0, index.size(i), site);
  }
  return self.index_put_(entries, values, accumulate, site);
}

}  // namespace

Tensor& Tensor::index_add_(int64_t dim, const Tensor& index, const Tensor& source, Scalar alpha,
                           CallSite site) const {
  require_defined(source, "source", "index_add_", site);
  const bool scaled = alpha.toDouble() != 1;
  return put_slices("index_add_", *this, dim, index, scaled ? source.mul(alpha, site) : source,
                    true, site);
}
Tensor Tensor::index_add(int64_t dim, const Tensor& index, const Tensor& source, Scalar alpha,
                         CallSite site) const {
  require_defined(*this, "self", "index_add", site);
  return clone(site).index_add_(dim, index, source, alpha, site);
}
Tensor& Tensor::index_copy_(int64_t dim, const Tensor& index, const Tensor& source,
                            CallSite site) const {
  return put_slices("index_copy_", *this, dim, index, source, false, site);
}
Tensor Tensor::index_copy(int64_t dim, const Tensor& index, const Tensor& source,
                          CallSite site) const {
  require_defined(*this, "self", "index_copy", site);
  return clone(site).index_copy_(dim, index, source, site);
}
Tensor& Tensor::index_fill_(int64_t dim, const Tensor& index, Scalar value, CallSite site) const {
  const Tensor places = slices("index_fill_", *this, dim, index, site);
  std::vector<indexing::TensorIndex> entries(static_cast<size_t>(dim), indexing::Slice());
  entries.emplace_back(places);
  return index_put_(entries, value, site);
}
Tensor Tensor::index_fill(int64_t dim, const Tensor& index, Scalar value, CallSite site) const {
  require_defined(*this, "self", "index_fill", site);
  return clone(site).index_fill_(dim, index, value, site);
}

Tensor& Tensor::scatter_(int64_t dim, const Tensor& index, const Tensor& src, CallSite site) const {
  return put_each("scatter_", *this, dim, index, src, false, site);
}
Tensor Tensor::scatter(int64_t dim, const Tensor& index, const Tensor& src, CallSite site) const {
  require_defined(*this, "self", "scatter", site);
  return clone(site).scatter_(dim, index, src, site);
}
Tensor& Tensor::scatter_add_(int64_t dim, const Tensor& index, const Tensor& src,
                             CallSite site) const {
  return put_each("scatter_add_", *this, dim, index, src, true, site);
}
Tensor Tensor::scatter_add(int64_t dim, const Tensor& index, const Tensor& src,
                           CallSite site) const {
  require_defined(*this, "self", "scatter_add", site);
  return clone(site).scatter_add_(dim, index, src, site);
}

Tensor Tensor::take(const Tensor& index, CallSite site) const {
  require_defined(*this, "self", "take", site);
  require_defined(index, "index", "take", site);
  check_same_device("take", site, {{"self", *this}, {"index", index}});
  const Tensor wraps = index.lt(0, site).to(index.dtype(), false, false, site);
  return pick("take", reshape({-1}, site), 0, index.add(wraps, numel(), site), site);
}

Tensor Tensor::repeat_interleave(int64_t repeats, std::optional<int64_t> dim, CallSite site) const {
  require_defined(*this, "self", "repeat_interleave", site);
  if (repeats < 0) throw Error(str_cat("repeat_interleave: ", repeats, " times"), site);
  if (!dim) return reshape({-1}, site).repeat_interleave(repeats, 0, site);
  const int64_t d = wrap_dim(*dim, this->dim(), "repeat_interleave", site);
  if (this->dim() == 0) return expand({repeats}, site).clone(site);
  std::vector<int64_t> apart = sizes().vec(), joined = apart;
  apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(d) + 1, repeats);
  if (__builtin_mul_overflow(joined[static_cast<size_t>(d)], repeats,
                             &joined[static_cast<size_t>(d)])) {
    throw ShapeError(str_cat("repeat_interleave: ", repeats, " times"), site);
  }
  return unsqueeze(d + 1, site).expand(apart, site).clone(site).reshape(joined, site);
}

Tensor Tensor::repeat_interleave(const Tensor& repeats, std::optional<int64_t> dim,
                                 CallSite site) const {
  require_defined(*this, "self", "repeat_interleave", site);
  require_defined(repeats, "repeats", "repeat_interleave", site);
  if (!dim) return reshape({-1}, site).repeat_interleave(repeats, 0, site);
  const int64_t d = wrap_dim(*dim, this->dim(), "repeat_interleave", site);
  if (repeats.dtype() != kLong && repeats.dtype() != kInt) {
    throw DTypeMismatchError(
        str_cat("repeat_interleave: repeats is ", name_of(repeats.dtype()), ", not int64"), site);
  }
  check_same_device("repeat_interleave", site, {{"self", *this}, {"repeats", repeats}});
  const int64_t n = this->dim() == 0 ? 1 : size(d);
  if (repeats.dim() > 1 || (repeats.numel() != 1 && repeats.numel() != n)) {
    throw ShapeError(str_cat("repeat_interleave: repeats has shape ", repeats.sizes(),
                             " for a dimension of size ", n),
                     site);
  }
  const CauseScope cause(TransferCause::kRead);
  const Tensor host = repeats.to(kCPU, kLong, false, false, site).contiguous(site);
  const auto* times = static_cast<const int64_t*>(host.impl()->data());
  if (host.numel() == 1 && n != 1) return repeat_interleave(times[0], d, site);
  std::vector<int64_t> places;
  for (int64_t i = 0; i < n; ++i) {
    if (times[i] < 0) throw Error(str_cat("repeat_interleave: ", times[i], " times"), site);
    places.insert(places.end(), static_cast<size_t>(times[i]), i);
  }
  return index_select(d, tensor(places, TensorOptions(device()).dtype(kLong), site), site);
}

Tensor Tensor::unfold(int64_t dimension, int64_t size, int64_t step, CallSite site) const {
  require_defined(*this, "self", "unfold", site);
  const int64_t d = wrap_dim(dimension, dim(), "unfold", site);
  const int64_t n = dim() == 0 ? 1 : this->size(d);
  if (size < 0 || size > n || step < 1) {
    throw Error(str_cat("unfold: windows of ", size, " elements every ", step,
                        " of a dimension of size ", n),
                site);
  }
  if (dim() == 0) return expand({size}, site).clone(site);
  const int64_t windows = (n - size) / step + 1;
  const TensorOptions options = TensorOptions(device()).dtype(kLong);
  const Tensor first = arange(0, windows, options, site).mul(step, site).unsqueeze(1, site);
  const Tensor places = first.add(arange(0, size, options, site), 1, site);
  return pick("unfold", *this, static_cast<int>(d), places, site).movedim(d + 1, -1, site);
}

Tensor Tensor::movedim(int64_t source, int64_t destination, CallSite site) const {
  require_defined(*this, "self", "movedim", site);
  const int64_t from = wrap_dim(source, dim(), "movedim", site);
  const int64_t to = wrap_dim(destination, dim(), "movedim", site);
  std::vector<int64_t> order;
  for (int64_t i = 0; i < dim(); ++i) {
    if (i != from) order.push_back(i);
  }
  if (dim() > 0) order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
  return permute(order, site);
}

namespace {

// The transposed of diagonal: zeros of `sizes` with `grad` on the diagonal.
Tensor on_diagonal(const Tensor& grad, int64_t offset, int64_t dim1, int64_t dim2,
                   const Dims& sizes, CallSite site) {
  Tensor result;
  {
    NoGradGuard raw;
    result = zeros(sizes, grad.options(), site);
    result.diagonal(offset, dim1, dim2, site).copy_(grad, false, site);
  }
  return recorded(std::move(result), "diagonal", site, {&grad}, [&] {
    return [=](const Tensor& g, Needs) { return Tensors{g.diagonal(offset, dim1, dim2, site)}; };
  });
}

}  // namespace

Tensor Tensor::diagonal(int64_t offset, int64_t dim1, int64_t dim2, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "diagonal", site);
  const int a = static_cast<int>(wrap_dim(dim1, dim(), "diagonal", site));
  const int b = static_cast<int>(wrap_dim(dim2, dim(), "diagonal", site));
  if (a == b)
    throw Error(str_cat("diagonal: expected two different dimensions, got twice ", a), site);
  const int64_t rows = impl.sizes[a], columns = impl.sizes[b];
  // Clamped, so that nothing overflows: beyond is nothing.
  const int64_t right = std::clamp<int64_t>(offset, 0, columns);
  const int64_t down = offset < -rows ? rows : std::clamp<int64_t>(-offset, 0, rows);
  const int64_t n = std::max<int64_t>(0, std::min(rows - down, columns - right));
  const int64_t first =
      n == 0 ? impl.offset : impl.offset + down * impl.strides[a] + right * impl.strides[b];
  Dims sizes, strides;
  for (int i = 0; i < impl.sizes.size(); ++i) {
    if (i == a || i == b) continue;
    sizes.push_back(impl.sizes[i]);
    strides.push_back(impl.strides[i]);
  }
  sizes.push_back(n);
  strides.push_back(impl.strides[a] + impl.strides[b]);
  return recorded(make_view(*this, sizes, strides, first), "diagonal", site, {this}, [&] {
    return [=, own = impl.sizes](const Tensor& g, Needs) {
      return Tensors{on_diagonal(g, offset, a, b, own, site)};
    };
  });
}

Tensor Tensor::trace(CallSite site) const {
  require_defined(*this, "self", "trace", site);
  check_dim("trace", site, {"self", *this}, 2);
  return diagonal(0, 0, 1, site).sum(site);
}

Tensor& Tensor::fill_diagonal_(Scalar value, CallSite site) const {
  require_defined(*this, "self", "fill_diagonal_", site);
  check_dim("fill_diagonal_", site, {"self", *this}, 2);
  const TensorOptions options = TensorOptions(device()).dtype(kLong);
  const Tensor rows = arange(0, size(0), options, site).unsqueeze(1, site);
  return masked_fill_(rows.eq(arange(0, size(1), options, site), site), value, site);
}

}  // namespace tensorlib
