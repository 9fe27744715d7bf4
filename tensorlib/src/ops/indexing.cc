// Tensor::index() and index_put_(): one view for each entry, and a pick for a tensor among them.
#include "tensorlib/indexing.h"

#include <algorithm>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "ops/index.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

using indexing::EllipsisIndexType;
using indexing::Slice;
using indexing::TensorIndex;

bool is_mask(const Tensor& index) { return index.dtype() == kBool || index.dtype() == kByte; }

// How many dimensions of the tensor an entry speaks of.
int64_t consumed(const TensorIndex& entry, const char* name, CallSite site) {
  if (std::holds_alternative<std::nullopt_t>(entry.kind()) ||
      std::holds_alternative<EllipsisIndexType>(entry.kind())) {
    return 0;
  }
  const Tensor* tensor = std::get_if<Tensor>(&entry.kind());
  if (tensor == nullptr) return 1;
  require_defined(*tensor, "index", name, site);
  return is_mask(*tensor) ? tensor->dim() : 1;
}

// The places of a mask's truths, in row-major order. From a GPU this copies and waits, as how many
// they are depends on it.
std::vector<int64_t> true_places(const Tensor& mask, CallSite site) {
  NoGradGuard raw;
  const CauseScope cause(TransferCause::kRead);
  const Tensor host = mask.to(kCPU, kBool, false, false, site).contiguous(site);
  const bool* truths = static_cast<const bool*>(host.impl()->data());
  std::vector<int64_t> places;
  for (int64_t i = 0; i < host.numel(); ++i) {
    if (truths[i]) places.push_back(i);
  }
  return places;
}

Tensor places_of(const Tensor& mask, CallSite site) {
  return tensor(true_places(mask, site), TensorOptions(mask.device()).dtype(kLong), site);
}

// The rows of dimension d of `view` (and of those behind it that a mask covers).
Tensor picked(const char* name, Tensor view, int d, const Tensor& index, CallSite site) {
  if (is_mask(index)) {
    const Dims& mask = index.impl()->sizes;
    for (int i = 0; i < mask.size(); ++i) {
      if (view.size(d + i) == mask[i]) continue;
      throw IndexError(str_cat(name, ": a mask of shape ", IntArrayRef(mask),
                               " does not fit dimension ", d + i, " of ", view.sizes()),
                       site);
    }
    Dims sizes = view.impl()->sizes;
    for (int i = 1; i < mask.size(); ++i) {
      sizes[d] *= sizes[d + 1];
      sizes.erase(d + 1);
    }
    if (mask.empty()) sizes.insert(d, 1);
    return pick(name, view.reshape(sizes, site), d, places_of(index, site), site);
  }
  if (index.dtype() != kLong && index.dtype() != kInt) {
    throw DTypeMismatchError(str_cat(name, ": a tensor of ", name_of(index.dtype()),
                                     " is no index; int32, int64, bool and uint8 (a mask) are"),
                             site);
  }
  // Negative places count from the end.
  const Tensor wraps = index.lt(0, site).to(index.dtype(), false, false, site);
  return pick(name, view, d, index.add(wraps, view.size(d), site), site);
}

// The view that all entries but a tensor make, and that tensor with the dimension it speaks of.
struct Selection {
  Tensor view;
  Tensor index;
  int dim = 0;
};

Selection select_by(const char* name, const Tensor& self, ArrayRef<TensorIndex> entries,
                    CallSite site) {
  require_defined(self, "self", name, site);
  int64_t named = 0, ellipses = 0;
  for (const TensorIndex& entry : entries) {
    named += consumed(entry, name, site);
    ellipses += std::holds_alternative<EllipsisIndexType>(entry.kind());
  }
  if (named > self.dim()) {
    throw IndexError(
        str_cat(name, ": ", named, " indices for a tensor of ", self.dim(), " dimensions"), site);
  }
  if (ellipses > 1) throw IndexError(str_cat(name, ": more than one Ellipsis"), site);
  Selection result{self, {}, 0};
  int64_t d = 0;
  for (const TensorIndex& entry : entries) {
    Tensor& view = result.view;
    if (std::holds_alternative<std::nullopt_t>(entry.kind())) {
      view = view.unsqueeze(d++, site);
    } else if (std::holds_alternative<EllipsisIndexType>(entry.kind())) {
      d += self.dim() - named;
    } else if (const int64_t* at = std::get_if<int64_t>(&entry.kind())) {
      view = view.select(d, *at, site);
    } else if (const Slice* slice = std::get_if<Slice>(&entry.kind())) {
      view = view.slice(d++, slice->start(), slice->stop(), slice->step(), site);
    } else {
      if (result.index.defined()) {
        throw Error(str_cat(name, ": more than one tensor among the indices is not supported"),
                    site);
      }
      result.index = std::get<Tensor>(entry.kind());
      result.dim = static_cast<int>(d);
      d += consumed(entry, name, site);
    }
  }
  return result;
}

}  // namespace

Tensor Tensor::index(ArrayRef<TensorIndex> indices, CallSite site) const {
  const Selection chosen = select_by("index", *this, indices, site);
  if (!chosen.index.defined()) return chosen.view;
  Tensor index = chosen.index;
  // A CPU index of a CUDA tensor goes along, as in LibTorch.
  if (index.device() != device() && index.is_cpu()) {
    const CauseScope cause(TransferCause::kOperand);
    index = index.to(device(), index.dtype(), false, false, site);
  }
  check_same_device("index", site, {{"self", *this}, {"index", index}});
  return picked("index", chosen.view, chosen.dim, index, site);
}

namespace {

Tensor place_to_put(const Tensor& self, ArrayRef<TensorIndex> indices, CallSite site) {
  const Selection chosen = select_by("index_put_", self, indices, site);
  if (!chosen.index.defined()) return chosen.view;
  throw Error(
      "index_put_: a tensor among the indices is not supported\nhelp: index by numbers and Slices, "
      "or by a mask and one value",
      site);
}

// By a mask, one value everywhere: masked_fill_. False where a tensor among the indices is no mask.
template <class Value>
bool put_by_mask(const Tensor& self, ArrayRef<TensorIndex> indices, const Value& value,
                 CallSite site) {
  const Selection chosen = select_by("index_put_", self, indices, site);
  if (!chosen.index.defined() || !is_mask(chosen.index)) return false;
  Tensor mask = chosen.index.to(kBool, false, false, site);
  if (mask.device() != self.device() && mask.is_cpu()) {
    const CauseScope cause(TransferCause::kOperand);
    mask = mask.to(self.device(), kBool, false, false, site);
  }
  for (int64_t d = chosen.dim + chosen.index.dim(); d < chosen.view.dim(); ++d) {
    mask = mask.unsqueeze(-1, site);
  }
  chosen.view.masked_fill_(mask, value, site);
  return true;
}

}  // namespace

Tensor Tensor::nonzero(CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "nonzero", site);
  const std::vector<int64_t> places = true_places(detach(site).ne(0, site), site);
  const int rank = impl.sizes.size();
  const auto n = static_cast<int64_t>(places.size());
  Tensor rows = empty({n, rank}, kLong, site);
  auto* index = static_cast<int64_t*>(rows.data_ptr());
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = places[static_cast<size_t>(i)];
    for (int d = rank - 1; d >= 0; --d) {
      index[i * rank + d] = rest % impl.sizes[d];
      rest /= impl.sizes[d];
    }
  }
  const CauseScope cause(TransferCause::kOperand);
  return rows.to(device(), kLong, false, false, site);
}

std::vector<Tensor> where(const Tensor& condition, CallSite site) {
  return condition.nonzero(site).unbind(1, site);
}

Tensor& Tensor::index_put_(ArrayRef<TensorIndex> indices, const Tensor& values,
                           CallSite site) const {
  if (values.defined() && values.dim() == 0 && put_by_mask(*this, indices, values, site)) {
    return const_cast<Tensor&>(*this);
  }
  place_to_put(*this, indices, site).copy_(values, false, site);
  return const_cast<Tensor&>(*this);
}
Tensor& Tensor::index_put_(ArrayRef<TensorIndex> indices, Scalar value, CallSite site) const {
  if (put_by_mask(*this, indices, value, site)) return const_cast<Tensor&>(*this);
  place_to_put(*this, indices, site).fill_(value, site);
  return const_cast<Tensor&>(*this);
}

}  // namespace tensorlib
