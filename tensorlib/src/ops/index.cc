// Picking elements by tensors of places: gather, index_select, embedding.
#include "ops/index.h"

#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// Contiguous places of int64. Only on the CPU: a look at a device's would wait for it.
void check_range(const char* name, const Tensor& places, int64_t n, CallSite site) {
  if (!places.is_cpu()) return;
  const int64_t* place = static_cast<const int64_t*>(places.impl()->data());
  for (int64_t i = 0; i < places.numel(); ++i) {
    if (place[i] < 0 || place[i] >= n) {
      throw IndexError(str_cat(name, ": index ", place[i], " of a dimension of size ", n), site);
    }
  }
}

Tensor gathered(const Tensor& self, int64_t dim, const Tensor& index, const Caller& caller) {
  const CallSite site = caller.site;
  const TensorImpl& impl = require_defined(self, "self", "gather", site);
  const TensorImpl& at = require_defined(index, "index", "gather", site);
  check_same_device("gather", site, {{"self", self}, {"index", index}});
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
  Tensor result = allocate_result(at.sizes, impl.dtype, self, "gather", site);
  if (at.numel == 0) return result;
  NoGradGuard raw;
  // Only as much of self as the index covers in the other dimensions.
  Tensor source = self;
  for (int i = 0; i < rank; ++i) {
    if (i != d) source = source.narrow(i, 0, at.sizes[i], site);
  }
  source = source.contiguous(site);
  Rows rows{1, impl.sizes[d], 1};
  for (int i = 0; i < rank; ++i) {
    if (i != d) (i < d ? rows.outer : rows.inner) *= at.sizes[i];
  }
  const Tensor positions = index.contiguous(site);
  check_range("gather", positions, rows.n, site);
  backend_for(self.device())
      .gather(impl.dtype, rows, at.sizes[d], result.impl()->writable(), source.impl()->data(),
              static_cast<const int64_t*>(positions.impl()->data()), caller);
  return result;
}

// `index` is where `self` is.
Tensor gathered_and_recorded(const Tensor& self, int64_t dim, const Tensor& index,
                             const Caller& caller) {
  const CallSite site = caller.site;
  Tensor result = gathered(self, dim, index, caller);
  return recorded(std::move(result), "gather", site, {&self}, [&] {
    const int d = static_cast<int>(wrap_dim(dim, self.dim(), "gather", site));
    return [=, index = SavedTensor(index), sizes = self.impl()->sizes](const Tensor& g, Needs) {
      return Tensors{scattered(g, index.get(), d, sizes, site)};
    };
  });
}

}  // namespace

Tensor of_classes(const char* name, const Tensor& self, int64_t dim, const Tensor& labels,
                  CallSite site) {
  return gathered_and_recorded(self, dim, labels, {name, site, true});
}

Rows rows_of(const Dims& sizes, int d) {
  Rows rows{1, 1, 1};
  for (int i = 0; i < sizes.size(); ++i) {
    (i < d ? rows.outer : i == d ? rows.n : rows.inner) *= sizes[i];
  }
  return rows;
}

Dims picked_sizes(const char* name, const Dims& sizes, int d, const Dims& index, CallSite site) {
  if (sizes.size() - 1 + index.size() > kMaxDims) {
    throw ShapeError(
        str_cat(name, ": an index of shape ", IntArrayRef(index), " into a tensor of shape ",
                IntArrayRef(sizes), " gives more than ", kMaxDims, " dimensions"),
        site);
  }
  Dims result = sizes;
  result.erase(d);
  for (int i = 0; i < index.size(); ++i) result.insert(d + i, index[i]);
  return result;
}

Tensor checked_places(const char* name, const Tensor& index, int64_t n, CallSite site) {
  if (index.dtype() != kLong && index.dtype() != kInt) {
    throw DTypeMismatchError(
        str_cat(name, ": the index is ", name_of(index.dtype()), ", not int32 or int64"), site);
  }
  Tensor places = index.to(kLong, false, false, site).contiguous(site);
  check_range(name, places, n, site);
  return places;
}

namespace {

// The transposed of pick: zeros of `sizes`, where the rows of `grad` are added at their places.
Tensor put_back(const char* name, const Tensor& grad, int d, const Tensor& places,
                const Dims& sizes, CallSite site) {
  Tensor result;
  {
    NoGradGuard raw;
    result = zeros(sizes, grad.options(), site);
    if (grad.numel() > 0) {
      const Tensor from = grad.contiguous(site);
      backend_for(grad.device())
          .index_add(grad.dtype(), rows_of(sizes, d), places.numel(), result.impl()->writable(),
                     from.impl()->data(), static_cast<const int64_t*>(places.impl()->data()),
                     {name, site});
    }
  }
  return recorded(std::move(result), name, site, {&grad}, [&] {
    return [=](const Tensor& g, Needs) { return Tensors{pick(name, g, d, places, site)}; };
  });
}

}  // namespace

Tensor pick(const char* name, const Tensor& self, int d, const Tensor& index, CallSite site) {
  const TensorImpl& impl = *self.impl();
  const Tensor places = checked_places(name, index, impl.sizes[d], site);
  Tensor result = allocate_result(picked_sizes(name, impl.sizes, d, index.impl()->sizes, site),
                                  impl.dtype, self, name, site);
  if (result.numel() > 0) {
    NoGradGuard raw;
    const Tensor source = self.contiguous(site);
    backend_for(self.device())
        .index_select(impl.dtype, rows_of(impl.sizes, d), places.numel(), result.impl()->writable(),
                      source.impl()->data(), static_cast<const int64_t*>(places.impl()->data()),
                      {name, site});
  }
  return recorded(std::move(result), name, site, {&self}, [&] {
    return [=, sizes = impl.sizes](const Tensor& g, Needs) {
      return Tensors{put_back(name, g, d, places, sizes, site)};
    };
  });
}

Tensor Tensor::gather(int64_t dim, const Tensor& index, CallSite site) const {
  if (const Arguments all = {{"self", *this}, {"index", index}}; are_apart(all)) {
    const auto o = brought_together("gather", site, all);
    return o[0].gather(dim, o[1], site);
  }
  return gathered_and_recorded(*this, dim, index, {"gather", site});
}

Tensor& Tensor::scatter_(int64_t dim, const Tensor& index, Scalar value, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "scatter_", site);
  const TensorImpl& at = require_defined(index, "index", "scatter_", site);
  check_same_device("scatter_", site, {{"self", *this}, {"index", index}});
  if (at.dtype != kLong) {
    throw DTypeMismatchError(str_cat("scatter_: index is ", name_of(at.dtype), ", not int64"),
                             site);
  }
  const int rank = impl.sizes.size();
  const int d = static_cast<int>(wrap_dim(dim, rank, "scatter_", site));
  bool fits = rank > 0 && at.sizes.size() == rank;
  for (int i = 0; fits && i < rank; ++i) fits = i == d || at.sizes[i] <= impl.sizes[i];
  if (!fits) {
    throw ShapeError(str_cat("scatter_: an index of shape ", IntArrayRef(at.sizes),
                             " does not fit a tensor of shape ", IntArrayRef(impl.sizes)),
                     site);
  }
  Tensor met;
  if (at.numel > 0) {
    NoGradGuard raw;
    check_range("scatter_", index.contiguous(site), impl.sizes[d], site);
    const Tensor ones = tensorlib::ones(at.sizes, TensorOptions(device()).dtype(kFloat), site);
    met = scattered(ones, index, d, impl.sizes, site).gt(0, site);
  }
  if (met.defined()) masked_fill_(met, value, site);
  return const_cast<Tensor&>(*this);
}
Tensor Tensor::scatter(int64_t dim, const Tensor& index, Scalar value, CallSite site) const {
  require_defined(*this, "self", "scatter", site);
  return clone(site).scatter_(dim, index, value, site);
}

Tensor Tensor::index_select(int64_t dim, const Tensor& index, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "index_select", site);
  const TensorImpl& at = require_defined(index, "index", "index_select", site);
  if (const Arguments all = {{"self", *this}, {"index", index}}; are_apart(all)) {
    const auto o = brought_together("index_select", site, all);
    return o[0].index_select(dim, o[1], site);
  }
  if (at.sizes.size() > 1) {
    throw ShapeError(
        str_cat("index_select: expected a vector as the index, got shape ", IntArrayRef(at.sizes)),
        site);
  }
  const int d = static_cast<int>(wrap_dim(dim, impl.sizes.size(), "index_select", site));
  const Tensor places = at.sizes.empty() ? index.view({1}, site) : index;
  if (!impl.sizes.empty()) return pick("index_select", *this, d, places, site);
  return pick("index_select", view({1}, site), 0, places, site).view({}, site);
}

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx,
                 bool scale_grad_by_freq, bool sparse, CallSite site) {
  require_defined(weight, "weight", "embedding", site);
  require_defined(indices, "indices", "embedding", site);
  if (const Arguments all = {{"weight", weight}, {"indices", indices}}; are_apart(all)) {
    const auto o = brought_together("embedding", site, all);
    return embedding(o[0], o[1], padding_idx, scale_grad_by_freq, sparse, site);
  }
  check_dim("embedding", site, {"weight", weight}, 2);
  if (scale_grad_by_freq || sparse) {
    throw Error(str_cat("embedding: ", sparse ? "sparse gradients" : "scale_grad_by_freq",
                        " is not supported\nhelp: leave it off: the gradient is dense, and the "
                        "sum over all places where a row was used"),
                site);
  }
  Tensor rows = pick("embedding", weight, 0, indices, site);
  if (padding_idx < 0 || !records({&weight}, "embedding", site)) return rows;
  // The padding's row learns nothing: what was picked of it counts as a constant.
  const Tensor is_padding = indices.eq(padding_idx, site).unsqueeze(-1, site);
  const Tensor counts = is_padding.eq(false, site).to(weight.dtype(), false, false, site);
  return recorded(rows.detach(site), "embedding", site, {&rows}, [&] {
    return [=](const Tensor& g, Needs) { return Tensors{g.mul(counts, site)}; };
  });
}

}  // namespace tensorlib
