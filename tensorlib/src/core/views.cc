// Views: new shapes over the same block.
#include <algorithm>

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

namespace {

// A shape with its one -1 filled in from the number of elements.
Dims infer_sizes(IntArrayRef sizes, int64_t numel, const char* operation, CallSite site) {
  const auto refuse = [&] {
    throw ShapeError(str_cat(operation, ": shape ", sizes, " does not hold ", numel, " elements"),
                     site);
  };
  if (sizes.size() > static_cast<size_t>(kMaxDims)) {
    throw ShapeError(
        str_cat(operation, ": ", sizes.size(), " dimensions; tensors have at most ", kMaxDims),
        site);
  }
  Dims result(sizes);
  int open = -1;
  int64_t known = 1;
  for (int i = 0; i < result.size(); ++i) {
    if (result[i] == -1 && open < 0) {
      open = i;
    } else if (result[i] < 0) {
      refuse();
    } else if (__builtin_mul_overflow(known, result[i], &known)) {
      refuse();
    }
  }
  if (open >= 0) {
    if (known == 0 || numel % known != 0) refuse();
    result[open] = numel / known;
  } else if (known != numel || overflows(result)) {
    refuse();
  }
  return result;
}

// The strides with which `sizes` walks the elements of `impl` in order, where there are such.
std::optional<Dims> view_strides(const TensorImpl& impl, const Dims& sizes) {
  if (impl.contiguous) return contiguous_strides(sizes);
  Dims strides = Dims::filled(sizes.size(), 0);
  int old_dim = impl.sizes.size() - 1;
  int new_dim = sizes.size() - 1;
  while (old_dim >= 0) {
    // A run of old dimensions that are laid out as one.
    int64_t run = impl.sizes[old_dim];
    const int64_t base = impl.strides[old_dim];
    while (old_dim > 0 &&
           (impl.sizes[old_dim - 1] == 1 || impl.strides[old_dim - 1] == run * base)) {
      --old_dim;
      run *= impl.sizes[old_dim];
    }
    int64_t filled = 1;
    while (new_dim >= 0 && (filled < run || sizes[new_dim] == 1)) {
      strides[new_dim] = filled * base;
      filled *= sizes[new_dim];
      --new_dim;
    }
    if (filled != run) return std::nullopt;
    --old_dim;
  }
  return new_dim < 0 ? std::optional(strides) : std::nullopt;
}

// A view of the same elements in the same order: the gradient takes the old shape.
Tensor reshaped(const Tensor& self, const Dims& sizes, const Dims& strides, int64_t offset,
                const char* name, CallSite site) {
  return recorded(make_view(self, sizes, strides, offset), name, site, {&self}, [&] {
    return [site, sizes = self.impl()->sizes](const Tensor& g, Needs) {
      return Tensors{g.reshape(sizes, site)};
    };
  });
}

// A view with the dimensions in another order: dimension i was `order[i]`.
Tensor permuted(const Tensor& self, const Dims& order, const char* name, CallSite site) {
  const TensorImpl& impl = *self.impl();
  Dims sizes, strides;
  for (const int64_t from : order) {
    sizes.push_back(impl.sizes[static_cast<int>(from)]);
    strides.push_back(impl.strides[static_cast<int>(from)]);
  }
  return recorded(make_view(self, sizes, strides, impl.offset), name, site, {&self}, [&] {
    Dims back = order;
    for (int i = 0; i < order.size(); ++i) back[static_cast<int>(order[i])] = i;
    return [site, back](const Tensor& g, Needs) { return Tensors{g.permute(back, site)}; };
  });
}

Dims identity_order(int rank) {
  Dims order = Dims::filled(rank, 0);
  for (int i = 0; i < rank; ++i) order[i] = i;
  return order;
}

}  // namespace

Tensor Tensor::view(IntArrayRef sizes, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "view", site);
  const Dims shape = infer_sizes(sizes, impl.numel, "view", site);
  const auto strides = view_strides(impl, shape);
  if (!strides) {
    throw ShapeError(str_cat("view: a tensor of shape ", IntArrayRef(impl.sizes), " and strides ",
                             IntArrayRef(impl.strides), " cannot be seen as ", IntArrayRef(shape),
                             " without a copy\nhelp: use reshape(), which copies where it must"),
                     site);
  }
  return reshaped(*this, shape, *strides, impl.offset, "view", site);
}

Tensor Tensor::reshape(IntArrayRef sizes, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "reshape", site);
  const Dims shape = infer_sizes(sizes, impl.numel, "reshape", site);
  if (const auto strides = view_strides(impl, shape)) {
    return reshaped(*this, shape, *strides, impl.offset, "reshape", site);
  }
  return contiguous(site).view(shape, site);
}

Tensor Tensor::view_as(const Tensor& other, CallSite site) const {
  return view(require_defined(other, "other", "view_as", site).sizes, site);
}

Tensor Tensor::flatten(int64_t start_dim, int64_t end_dim, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "flatten", site);
  const int start = static_cast<int>(wrap_dim(start_dim, impl.sizes.size(), "flatten", site));
  const int end = static_cast<int>(wrap_dim(end_dim, impl.sizes.size(), "flatten", site));
  if (start > end) {
    throw IndexError(str_cat("flatten: start_dim ", start, " comes after end_dim ", end), site);
  }
  if (impl.sizes.empty()) return reshape({1}, site);
  Dims shape;
  for (int i = 0; i < impl.sizes.size(); ++i) {
    if (i > start && i <= end) {
      shape[shape.size() - 1] *= impl.sizes[i];
    } else {
      shape.push_back(impl.sizes[i]);
    }
  }
  return reshape(shape, site);
}

Tensor Tensor::t(CallSite site) const {
  if (require_defined(*this, "self", "t", site).sizes.size() > 2) {
    throw ShapeError(str_cat("t: expected a tensor of at most 2 dimensions, got shape ", sizes(),
                             "\nhelp: use transpose(dim0, dim1)"),
                     site);
  }
  return dim() < 2 ? *this : transpose(0, 1, site);
}

Tensor Tensor::transpose(int64_t dim0, int64_t dim1, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "transpose", site);
  const int rank = impl.sizes.size();
  const int a = static_cast<int>(wrap_dim(dim0, rank, "transpose", site));
  const int b = static_cast<int>(wrap_dim(dim1, rank, "transpose", site));
  if (rank == 0) return *this;
  Dims order = identity_order(rank);
  std::swap(order[a], order[b]);
  return permuted(*this, order, "transpose", site);
}

Tensor Tensor::permute(IntArrayRef dims, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "permute", site);
  if (static_cast<int>(dims.size()) != impl.sizes.size()) {
    throw IndexError(str_cat("permute: ", dims, " does not name the ", impl.sizes.size(),
                             " dimensions of ", IntArrayRef(impl.sizes)),
                     site);
  }
  Dims order;
  unsigned seen = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int from = static_cast<int>(wrap_dim(dims[i], impl.sizes.size(), "permute", site));
    if (seen & (1u << from)) {
      throw IndexError(str_cat("permute: dimension ", from, " appears twice in ", dims), site);
    }
    seen |= 1u << from;
    order.push_back(from);
  }
  return permuted(*this, order, "permute", site);
}

Tensor Tensor::slice(int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                     int64_t step, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "slice", site);
  if (impl.sizes.empty()) throw IndexError("slice: the tensor has no dimensions", site);
  if (step < 1) throw IndexError(str_cat("slice: step ", step, " is not positive"), site);
  const int d = static_cast<int>(wrap_dim(dim, impl.sizes.size(), "slice", site));
  const int64_t size = impl.sizes[d];
  const auto bound = [size](int64_t index) {
    return std::clamp<int64_t>(index < 0 ? index + size : index, 0, size);
  };
  const int64_t from = bound(start.value_or(0));
  const int64_t to = std::max(from, bound(end.value_or(size)));
  Dims sizes = impl.sizes;
  Dims strides = impl.strides;
  sizes[d] = (to - from) / step + ((to - from) % step != 0 ? 1 : 0);
  if (sizes[d] > 1) strides[d] *= step;  // a step past the end may be any number
  return recorded(make_view(*this, sizes, strides, impl.offset + from * impl.strides[d]), "slice",
                  site, {this}, [&] {
                    return [=, sizes = impl.sizes](const Tensor& g, Needs) {
                      return Tensors{embedded(g, d, from, step, sizes, site)};
                    };
                  });
}

Tensor Tensor::narrow(int64_t dim, int64_t start, int64_t length, CallSite site) const {
  const int64_t size = this->size(dim, site);
  const int64_t from = start < 0 ? start + size : start;
  if (from < 0 || length < 0 || from > size || length > size - from) {
    throw IndexError(str_cat("narrow: elements ", start, " to ", start, "+", length,
                             " of a dimension of size ", size),
                     site);
  }
  return slice(dim, from, from + length, 1, site);
}

Tensor Tensor::select(int64_t dim, int64_t index, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "select", site);
  if (impl.sizes.empty()) throw IndexError("select: the tensor has no dimensions", site);
  const int d = static_cast<int>(wrap_dim(dim, impl.sizes.size(), "select", site));
  const int64_t size = impl.sizes[d];
  if (index < -size || index >= size) {
    throw IndexError(str_cat("select: index ", index, " of a dimension of size ", size), site);
  }
  const int64_t at = index < 0 ? index + size : index;
  Dims sizes = impl.sizes;
  Dims strides = impl.strides;
  sizes.erase(d);
  strides.erase(d);
  return recorded(make_view(*this, sizes, strides, impl.offset + at * impl.strides[d]), "select",
                  site, {this}, [&] {
                    return [=, sizes = impl.sizes](const Tensor& g, Needs) {
                      return Tensors{embedded(g.unsqueeze(d, site), d, at, 1, sizes, site)};
                    };
                  });
}

Tensor Tensor::squeeze(CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "squeeze", site);
  Dims sizes, strides;
  for (int i = 0; i < impl.sizes.size(); ++i) {
    if (impl.sizes[i] == 1) continue;
    sizes.push_back(impl.sizes[i]);
    strides.push_back(impl.strides[i]);
  }
  return reshaped(*this, sizes, strides, impl.offset, "squeeze", site);
}

Tensor Tensor::squeeze(int64_t dim, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "squeeze", site);
  const int d = static_cast<int>(wrap_dim(dim, impl.sizes.size(), "squeeze", site));
  if (impl.sizes.empty() || impl.sizes[d] != 1) return *this;
  return select(d, 0, site);
}

Tensor Tensor::unsqueeze(int64_t dim, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "unsqueeze", site);
  const int rank = impl.sizes.size();
  if (rank == kMaxDims) {
    throw ShapeError(str_cat("unsqueeze: tensors have at most ", kMaxDims, " dimensions"), site);
  }
  const int d = static_cast<int>(wrap_dim(dim, rank + 1, "unsqueeze", site));
  Dims sizes = impl.sizes;
  Dims strides = impl.strides;
  strides.insert(d, d < rank ? sizes[d] * strides[d] : 1);
  sizes.insert(d, 1);
  return reshaped(*this, sizes, strides, impl.offset, "unsqueeze", site);
}

Tensor Tensor::expand(IntArrayRef sizes, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "expand", site);
  const int rank = static_cast<int>(sizes.size());
  const int missing = rank - impl.sizes.size();
  const auto refuse = [&] {
    throw ShapeError(
        str_cat("expand: shape ", IntArrayRef(impl.sizes), " does not expand to ", sizes), site);
  };
  if (missing < 0 || rank > kMaxDims) refuse();
  Dims result(sizes);
  Dims strides = Dims::filled(rank, 0);
  for (int i = 0; i < rank; ++i) {
    if (i < missing) {
      if (result[i] < 0) refuse();
      continue;
    }
    const int64_t own = impl.sizes[i - missing];
    if (result[i] == -1) result[i] = own;
    if (result[i] == own) {
      strides[i] = impl.strides[i - missing];
    } else if (own != 1 || result[i] < 0) {
      refuse();
    }
  }
  if (overflows(result)) {
    throw ShapeError(str_cat("expand: the size of ", IntArrayRef(result), " overflows"), site);
  }
  return recorded(make_view(*this, result, strides, impl.offset), "expand", site, {this}, [&] {
    return [site, sizes = impl.sizes](const Tensor& g, Needs) {
      return Tensors{sum_to(g, sizes, site)};
    };
  });
}

Tensor Tensor::expand_as(const Tensor& other, CallSite site) const {
  return expand(require_defined(other, "other", "expand_as", site).sizes, site);
}

Tensor Tensor::as_strided(IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> offset,
                          CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "as_strided", site);
  const int64_t first = offset.value_or(impl.offset);
  int64_t last = first;
  bool valid = sizes.size() == strides.size() && sizes.size() <= size_t{kMaxDims} && first >= 0;
  for (size_t i = 0; valid && i < sizes.size(); ++i) {
    int64_t reach = 0;
    valid = sizes[i] >= 0 && strides[i] >= 0 &&
            !__builtin_mul_overflow(std::max<int64_t>(sizes[i] - 1, 0), strides[i], &reach) &&
            !__builtin_add_overflow(last, reach, &last);
  }
  const auto capacity = static_cast<int64_t>(impl.storage->nbytes / elementSize(impl.dtype));
  if (!valid || overflows(sizes) || (product(sizes) > 0 && last >= capacity)) {
    throw ShapeError(str_cat("as_strided: sizes ", sizes, ", strides ", strides, ", offset ", first,
                             " do not lie within a block of ", capacity, " elements"),
                     site);
  }
  if (records({this}, "as_strided", site)) {
    throw Error(
        "as_strided: has no gradient\nhelp: use slice(), view(), permute() or expand(), or "
        "detach() the tensor first",
        site);
  }
  return make_view(*this, Dims(sizes), Dims(strides), first);
}

}  // namespace tensorlib
