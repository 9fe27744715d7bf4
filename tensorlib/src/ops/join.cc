// Joining and picking: cat, stack, gather.
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

void check_joined(const char* name, ArrayRef<Tensor> tensors, CallSite site) {
  if (tensors.empty()) throw Error(str_cat(name, ": the list of tensors is empty"), site);
  const Tensor& first = tensors[0];
  for (const Tensor& tensor : tensors) {
    require_defined(tensor, "tensors[...]", name, site);
    check_same_device(name, site, {{"tensors[0]", first}, {"tensor", tensor}});
  }
}

}  // namespace

Tensor cat(ArrayRef<Tensor> tensors, int64_t dim, CallSite site) {
  check_joined("cat", tensors, site);
  const Tensor& first = tensors[0];
  if (first.dim() == 0) {
    throw ShapeError("cat: tensors of no dimensions cannot be joined\nhelp: use stack()", site);
  }
  const int d = static_cast<int>(wrap_dim(dim, first.dim(), "cat", site));
  Dims sizes = first.impl()->sizes;
  ScalarType type = first.dtype();
  sizes[d] = 0;
  for (const Tensor& tensor : tensors) {
    Dims other = tensor.impl()->sizes;
    if (other.size() == sizes.size()) {
      const int64_t length = other[d];
      other[d] = sizes[d];
      if (other == sizes) {
        sizes[d] += length;
        type = promoteTypes(type, tensor.dtype());
        continue;
      }
    }
    throw ShapeError(str_cat("cat: shapes ", first.sizes(), " and ", tensor.sizes(),
                             " differ in more than dimension ", d),
                     site);
  }
  Tensor result = allocate_result(sizes, type, first, "cat", site);
  int64_t at = 0;
  for (const Tensor& tensor : tensors) {
    const int64_t length = tensor.size(d);
    result.narrow(d, at, length, site).copy_(tensor, false, site);
    at += length;
  }
  return result;
}

Tensor stack(ArrayRef<Tensor> tensors, int64_t dim, CallSite site) {
  check_joined("stack", tensors, site);
  std::vector<Tensor> rows;
  rows.reserve(tensors.size());
  for (const Tensor& tensor : tensors) {
    if (tensor.sizes() != tensors[0].sizes()) {
      throw ShapeError(
          str_cat("stack: shapes ", tensors[0].sizes(), " and ", tensor.sizes(), " differ"), site);
    }
    rows.push_back(tensor.unsqueeze(dim, site));
  }
  return cat(rows, wrap_dim(dim, tensors[0].dim() + 1, "stack", site), site);
}

Tensor Tensor::gather(int64_t dim, const Tensor& index, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "gather", site);
  const TensorImpl& at = require_defined(index, "index", "gather", site);
  check_same_device("gather", site, {{"self", *this}, {"index", index}});
  if (at.dtype != kLong) {
    throw DTypeMismatchError(str_cat("gather: index is ", name_of(at.dtype), ", not int64"), site);
  }
  const int rank = impl.sizes.size();
  const int d = static_cast<int>(wrap_dim(dim, rank, "gather", site));
  bool fits = rank > 0 && at.sizes.size() == rank;
  for (int i = 0; fits && i < rank; ++i) fits = i == d || at.sizes[i] <= impl.sizes[i];
  if (!fits) {
    throw ShapeError(str_cat("gather: an index of shape ", IntArrayRef(at.sizes),
                             " does not fit a tensor of shape ", IntArrayRef(impl.sizes)),
                     site);
  }
  Tensor result = allocate_result(at.sizes, impl.dtype, *this, "gather", site);
  if (at.numel == 0) return result;
  // Only as much of self as the index covers in the other dimensions.
  Tensor source = *this;
  for (int i = 0; i < rank; ++i) {
    if (i != d) source = source.narrow(i, 0, at.sizes[i], site);
  }
  source = source.contiguous(site);
  Rows rows{1, impl.sizes[d], 1};
  for (int i = 0; i < rank; ++i) {
    if (i != d) (i < d ? rows.outer : rows.inner) *= at.sizes[i];
  }
  const Tensor positions = index.contiguous(site);
  if (device().is_cpu()) {
    const int64_t* position = static_cast<const int64_t*>(positions.impl()->data());
    for (int64_t i = 0; i < at.numel; ++i) {
      if (position[i] < 0 || position[i] >= rows.n) {
        throw IndexError(str_cat("gather: index ", position[i], " of a dimension of size ", rows.n),
                         site);
      }
    }
  }
  backend_for(device()).gather(impl.dtype, rows, at.sizes[d], result.impl()->writable(),
                               source.impl()->data(),
                               static_cast<const int64_t*>(positions.impl()->data()));
  return result;
}

}  // namespace tensorlib
