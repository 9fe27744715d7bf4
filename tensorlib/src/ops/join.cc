// Joining and picking: cat, stack, gather.
#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// All defined and on one device. Under the implicit policy tensors of another device than the
// first's are copied there, into `moved`, which is empty otherwise.
void check_joined(const char* name, ArrayRef<Tensor> tensors, std::vector<Tensor>& moved,
                  CallSite site) {
  if (tensors.empty()) throw Error(str_cat(name, ": the list of tensors is empty"), site);
  const Tensor& first = tensors[0];
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    require_defined(tensor, "tensors[...]", name, site);
    const Arguments both = {{"tensors[0]", first}, {"tensor", tensor}};
    if (!are_apart(both)) continue;
    if (OperandPolicyScope::current() == OperandPolicy::kStrict) {
      throw_device_mismatch(name, site, both);
    }
    const CauseScope cause(TransferCause::kOperand);
    if (moved.empty()) moved = tensors.vec();
    moved[i] = tensor.to(first.device(), tensor.dtype(), false, false, site);
  }
}

// Each tensor's gradient is its part of the result's.
Tensor record_cat(Tensor result, ArrayRef<Tensor> tensors, int d, CallSite site) {
  std::vector<const Tensor*> operands;
  for (const Tensor& tensor : tensors) operands.push_back(&tensor);
  return recorded(std::move(result), "cat", site, operands, [&] {
    std::vector<int64_t> lengths;
    std::vector<ScalarType> types;
    for (const Tensor& tensor : tensors) {
      lengths.push_back(tensor.size(d));
      types.push_back(tensor.dtype());
    }
    return [=](const Tensor& g, Needs needs) {
      Tensors grads(lengths.size());
      int64_t at = 0;
      for (size_t i = 0; i < lengths.size(); ++i) {
        if (needs(i)) grads[i] = g.narrow(d, at, lengths[i], site).to(types[i], false, false, site);
        at += lengths[i];
      }
      return grads;
    };
  });
}

}  // namespace

Tensor cat(ArrayRef<Tensor> tensors, int64_t dim, CallSite site) {
  std::vector<Tensor> moved;
  check_joined("cat", tensors, moved, site);
  if (!moved.empty()) return cat(moved, dim, site);
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
  {
    NoGradGuard raw;
    int64_t at = 0;
    for (const Tensor& tensor : tensors) {
      const int64_t length = tensor.size(d);
      result.narrow(d, at, length, site).copy_(tensor, false, site);
      at += length;
    }
  }
  return record_cat(std::move(result), tensors, d, site);
}

Tensor stack(ArrayRef<Tensor> tensors, int64_t dim, CallSite site) {
  std::vector<Tensor> moved;
  check_joined("stack", tensors, moved, site);
  if (!moved.empty()) return stack(moved, dim, site);
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

namespace {

Tensor gathered(const Tensor& self, int64_t dim, const Tensor& index, CallSite site) {
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
  if (self.device().is_cpu()) {
    const int64_t* position = static_cast<const int64_t*>(positions.impl()->data());
    for (int64_t i = 0; i < at.numel; ++i) {
      if (position[i] < 0 || position[i] >= rows.n) {
        throw IndexError(str_cat("gather: index ", position[i], " of a dimension of size ", rows.n),
                         site);
      }
    }
  }
  backend_for(self.device()).gather(impl.dtype, rows, at.sizes[d], result.impl()->writable(),
                               source.impl()->data(),
                               static_cast<const int64_t*>(positions.impl()->data()));
  return result;
}

}  // namespace

Tensor Tensor::gather(int64_t dim, const Tensor& index, CallSite site) const {
  if (const Arguments all = {{"self", *this}, {"index", index}}; are_apart(all)) {
    const auto o = brought_together("gather", site, all);
    return o[0].gather(dim, o[1], site);
  }
  Tensor result = gathered(*this, dim, index, site);
  return recorded(std::move(result), "gather", site, {this}, [&] {
    const int d = static_cast<int>(wrap_dim(dim, this->dim(), "gather", site));
    return [=, index = SavedTensor(index), sizes = impl_->sizes](const Tensor& g, Needs) {
      return Tensors{scattered(g, index.get(), d, sizes, site)};
    };
  });
}

}  // namespace tensorlib
