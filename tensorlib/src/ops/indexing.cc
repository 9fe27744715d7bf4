// Tensor::index() and index_put_(): one view for each entry, and a pick for the tensors among them.
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
    return pick(name, view.reshape(sizes, site), d, places_of(index, site), site);
  }
  if (index.dtype() != kLong && index.dtype() != kInt) {
    throw DTypeMismatchError(str_cat(name, ": a tensor of ", name_of(index.dtype()),
                                     " is not an index; int32, int64, bool and uint8 (a mask) are"),
                             site);
  }
  // Negative places count from the end.
  const Tensor wraps = index.lt(0, site).to(index.dtype(), false, false, site);
  return pick(name, view, d, index.add(wraps, view.size(d), site), site);
}

// The view that all entries but tensors make (the tensor itself, where they leave it whole), and
// those tensors.
struct Selection {
  Tensor view;
  std::vector<IndexEntry> tensors;
};

// A whole number in a tensor of no dimensions, beside other tensors: a number, as in LibTorch.
bool is_number(const Tensor& index) { return index.dim() == 0 && !is_mask(index); }

Selection select_by(const char* name, const Tensor& self, ArrayRef<TensorIndex> entries,
                    CallSite site) {
  require_defined(self, "self", name, site);
  int64_t named = 0, ellipses = 0, tensors = 0;
  for (const TensorIndex& entry : entries) {
    named += consumed(entry, name, site);
    ellipses += std::holds_alternative<EllipsisIndexType>(entry.kind());
    tensors += std::holds_alternative<Tensor>(entry.kind());
  }
  if (named > self.dim()) {
    throw IndexError(
        str_cat(name, ": ", named, " indices for a tensor of ", self.dim(), " dimensions"), site);
  }
  if (ellipses > 1) throw IndexError(str_cat(name, ": more than one Ellipsis"), site);
  Selection result{self, {}};
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
      // One that shows all is no view, so that the tensor itself can be changed and recorded.
      const bool all = slice->start().value_or(0) == 0 && !slice->stop() && slice->step() == 1;
      if (!all) view = view.slice(d, slice->start(), slice->stop(), slice->step(), site);
      ++d;
    } else {
      Tensor index = std::get<Tensor>(entry.kind());
      if (tensors > 1 && is_number(index)) {
        const CauseScope cause(TransferCause::kRead);
        view = view.select(d, index.item(site).toLong(), site);
        continue;
      }
      if (index.dim() == 0 && is_mask(index)) {  // a dimension of one, kept or not
        view = view.unsqueeze(d, site);
        index = index.view({1}, site);
      }
      result.tensors.push_back({index, static_cast<int>(d)});
      d += is_mask(index) ? index.dim() : 1;
    }
  }
  return result;
}

}  // namespace

Tensor Tensor::index(ArrayRef<TensorIndex> indices, CallSite site) const {
  const Selection chosen = select_by("index", *this, indices, site);
  if (chosen.tensors.empty()) {
    return chosen.view.is_same(*this) && dim() > 0 ? slice(0, 0, size(0), 1, site) : chosen.view;
  }
  if (chosen.tensors.size() > 1) return pick_by_all("index", chosen.view, chosen.tensors, site);
  Tensor index = chosen.tensors[0].index;
  // A CPU index of a CUDA tensor goes along, as in LibTorch.
  if (index.device() != device() && index.is_cpu()) {
    const CauseScope cause(TransferCause::kOperand);
    index = index.to(device(), index.dtype(), false, false, site);
  }
  check_same_device("index", site, {{"self", *this}, {"index", index}});
  return picked("index", chosen.view, chosen.tensors[0].dim, index, site);
}

namespace {

// By a mask, one value everywhere: masked_fill_, without a look at how many they are.
template <class Value>
void put_by_mask(const Selection& chosen, const Value& value, CallSite site) {
  const auto& [index, dim] = chosen.tensors[0];
  Tensor mask = index.to(kBool, false, false, site);
  if (mask.device() != chosen.view.device() && mask.is_cpu()) {
    const CauseScope cause(TransferCause::kOperand);
    mask = mask.to(chosen.view.device(), kBool, false, false, site);
  }
  for (int64_t d = dim + index.dim(); d < chosen.view.dim(); ++d) {
    mask = mask.unsqueeze(-1, site);
  }
  chosen.view.masked_fill_(mask, value, site);
}

bool is_one_mask(const Selection& chosen) {
  return chosen.tensors.size() == 1 && is_mask(chosen.tensors[0].index);
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

Tensor& Tensor::index_put_(ArrayRef<TensorIndex> indices, const Tensor& values, bool accumulate,
                           CallSite site) const {
  const Selection chosen = select_by("index_put_", *this, indices, site);
  if (chosen.tensors.empty()) {
    Tensor view = chosen.view;
    accumulate ? view.add_(values, 1, site) : view.copy_(values, false, site);
  } else if (is_one_mask(chosen) && !accumulate && values.defined() && values.dim() == 0) {
    put_by_mask(chosen, values, site);
  } else {
    put_by_all("index_put_", chosen.view, chosen.tensors, values, accumulate, site);
  }
  return const_cast<Tensor&>(*this);
}
Tensor& Tensor::index_put_(ArrayRef<TensorIndex> indices, const Tensor& values,
                           CallSite site) const {
  return index_put_(indices, values, false, site);
}
Tensor& Tensor::index_put_(ArrayRef<TensorIndex> indices, Scalar value, CallSite site) const {
  const Selection chosen = select_by("index_put_", *this, indices, site);
  if (chosen.tensors.empty()) {
    chosen.view.fill_(value, site);
  } else if (is_one_mask(chosen)) {
    put_by_mask(chosen, value, site);
  } else {
    const Tensor values = full({}, value, TensorOptions(device()).dtype(dtype()), site);
    put_by_all("index_put_", chosen.view, chosen.tensors, values, false, site);
  }
  return const_cast<Tensor&>(*this);
}

Tensor Tensor::index_put(ArrayRef<TensorIndex> indices, const Tensor& values, bool accumulate,
                         CallSite site) const {
  require_defined(*this, "self", "index_put", site);
  return clone(site).index_put_(indices, values, accumulate, site);
}

}  // namespace tensorlib
