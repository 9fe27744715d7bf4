// Along one dimension: the few largest or smallest, running sums.
#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// A tensor's dimensions before d, d itself, and those behind it.
Rows rows_along(const Dims& sizes, int d) {
  Rows rows{1, 1, 1};
  for (int i = 0; i < sizes.size(); ++i) {
    (i < d ? rows.outer : i == d ? rows.n : rows.inner) *= sizes[i];
  }
  return rows;
}

}  // namespace

Tensor Tensor::cumsum(int64_t dim, std::optional<ScalarType> dtype, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "cumsum", site);
  const int d = static_cast<int>(wrap_dim(dim, impl.sizes.size(), "cumsum", site));
  const ScalarType type = dtype ? *dtype : isFloatingType(impl.dtype) ? impl.dtype : kLong;
  if (type != impl.dtype) return to(type, false, false, site).cumsum(dim, std::nullopt, site);
  Tensor result = allocate_result(impl.sizes, type, *this, "cumsum", site);
  if (impl.numel > 0) {
    NoGradGuard raw;
    const Tensor source = contiguous(site);
    backend_for(device()).cumulative_sum(type, rows_along(impl.sizes, d), result.impl()->writable(),
                                         source.impl()->data());
  }
  return recorded(std::move(result), "cumsum", site, {this}, [&] {
    // Every element is a part of its own sum and the later ones.
    return [=](const Tensor& g, Needs) {
      return Tensors{
          g.dim() == 0 ? g
                       : g.sum(d, true, site).sub(g.cumsum(d, {}, site), 1, site).add(g, 1, site)};
    };
  });
}

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
  const Rows rows = rows_along(impl.sizes, d);
  Dims sizes = impl.sizes;
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
