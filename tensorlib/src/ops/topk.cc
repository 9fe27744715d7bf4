// The few largest or smallest.
#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/ops.h"

namespace tensorlib {

std::tuple<Tensor, Tensor> Tensor::topk(int64_t k, int64_t dim, bool largest, bool,
                                        CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "topk", site);
  if (impl.dtype == kBool) {
    throw DTypeMismatchError("topk: not an operation of bool tensors", site);
  }
  const int rank = impl.sizes.size();
  const int d = static_cast<int>(wrap_dim(dim, rank, "topk", site));
  const int64_t n = rank == 0 ? 1 : impl.sizes[d];
  if (k < 0 || k > n) {
    throw IndexError(str_cat("topk: the ", k, largest ? " largest" : " smallest",
                             " asked for of a dimension of size ", n),
                     site);
  }
  if (rank == 0) k = 1;  // there is but one
  Rows rows{1, n, 1};
  Dims sizes = impl.sizes;
  for (int i = 0; i < rank; ++i) {
    if (i != d) (i < d ? rows.outer : rows.inner) *= sizes[i];
  }
  if (rank > 0) sizes[d] = k;
  Tensor values = allocate_result(sizes, impl.dtype, *this, "topk", site);
  Tensor indices = allocate_result(sizes, kLong, *this, "topk", site);
  if (values.numel() > 0) {
    const Tensor source = [&] {
      NoGradGuard raw;
      return contiguous(site);
    }();
    backend_for(device()).topk(impl.dtype, rows, k, largest, values.impl()->writable(),
                               static_cast<int64_t*>(indices.impl()->writable()),
                               source.impl()->data());
  }
  values = recorded(std::move(values), "topk", site, {this}, [&] {
    return [=, all = impl.sizes](const Tensor& g, Needs) {
      return Tensors{scattered(g, indices, d, all, site)};
    };
  });
  return {values, indices};
}

}  // namespace tensorlib
