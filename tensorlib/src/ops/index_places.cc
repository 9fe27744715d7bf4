// Tensors among indices: masks and places become one tensor of places in one dimension, into which
// the indexed dimensions are joined. That is picked by, and put by.
#include <algorithm>

#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/transfer.h"
#include "ops/geometry.h"
#include "ops/index.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

bool is_mask(const Tensor& index) { return index.dtype() == kBool || index.dtype() == kByte; }

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

namespace {

// The dimensions `order` of a view, of which `joined` from d on are then one.
struct JoinedPlaces {
  Dims order;
  int d = 0, joined = 1;
  Tensor linear;  // int64 places in the one; of the indices' common shape

  Tensor permuted(const Tensor& view, CallSite site) const {
    for (int i = 0; i < order.size(); ++i) {
      if (order[i] != i) return view.permute(order, site);
    }
    return view;
  }
  Tensor flat(const Tensor& permuted, CallSite site) const {
    if (joined == 1) return permuted;
    return permuted.flatten(d, d + joined - 1, site);
  }
};

// A CPU index of a CUDA tensor goes along, as in LibTorch.
Tensor brought(const char* name, const Tensor& index, const Tensor& view, CallSite site) {
  if (index.device() == view.device()) return index;
  if (!index.is_cpu()) check_same_device(name, site, {{"self", view}, {"index", index}});
  const CauseScope cause(TransferCause::kOperand);
  return index.to(view.device(), index.dtype(), false, false, site);
}

void check_mask(const char* name, const Tensor& view, const Tensor& mask, int d, CallSite site) {
  for (int i = 0; i < mask.dim(); ++i) {
    if (view.size(d + i) == mask.size(i)) continue;
    throw IndexError(str_cat(name, ": a mask of shape ", mask.sizes(), " does not fit dimension ",
                             d + i, " of ", view.sizes()),
                     site);
  }
}

// A mask as places, one tensor for each of its dimensions.
void add_mask(const char* name, const Tensor& view, const Tensor& mask, int d, CallSite site,
              std::vector<IndexEntry>& places) {
  check_mask(name, view, mask, d, site);
  const TensorOptions options = TensorOptions(view.device()).dtype(kLong);
  const std::vector<int64_t> truths = true_places(mask, site);
  int64_t below = mask.numel();
  for (int i = 0; i < mask.dim(); ++i) {
    below /= std::max<int64_t>(1, mask.size(i));
    std::vector<int64_t> at;
    for (const int64_t place : truths) at.push_back(place / below % mask.size(i));
    places.push_back({tensor(at, options, site), d + i});
  }
}

// From 0 on, not yet looked at.
Tensor wrapped(const char* name, const Tensor& index, int64_t n, CallSite site) {
  if (index.dtype() != kLong && index.dtype() != kInt) {
    throw DTypeMismatchError(str_cat(name, ": a tensor of ", name_of(index.dtype()),
                                     " is not an index; int32, int64, bool and uint8 (a mask) are"),
                             site);
  }
  const Tensor wraps = index.lt(0, site).to(index.dtype(), false, false, site);
  return index.add(wraps, n, site).to(kLong, false, false, site);
}

// How far the places of one dimension are into the joined one. That each is in its own is seen by
// the pick.
Tensor offsets(const char* name, const Tensor& index, int64_t n, int64_t below, CallSite site) {
  const TensorOptions options = TensorOptions(index.device()).dtype(kLong);
  return pick(name, arange(0, n, options, site).mul(below, site), 0, index, site);
}

JoinedPlaces places_of(const char* name, const Tensor& view, const std::vector<IndexEntry>& entries,
                       CallSite site) {
  std::vector<IndexEntry> all;
  for (const IndexEntry& entry : entries) {
    if (is_mask(entry.index)) {
      add_mask(name, view, entry.index, entry.dim, site, all);
    } else {
      const Tensor index = brought(name, entry.index, view, site);
      all.push_back({wrapped(name, index, view.size(entry.dim), site), entry.dim});
    }
  }
  JoinedPlaces result;
  result.joined = static_cast<int>(all.size());
  const bool adjacent = all.back().dim - all.front().dim + 1 == result.joined;
  result.d = adjacent ? all.front().dim : 0;
  for (int i = 0; i < view.dim(); ++i) {
    if (i == result.d) {
      for (const IndexEntry& entry : all) result.order.push_back(entry.dim);
    }
    if (std::none_of(all.begin(), all.end(), [&](const auto& e) { return e.dim == i; })) {
      result.order.push_back(i);
    }
  }
  if (all.size() == 1) {
    result.linear = all[0].index;
    return result;
  }
  int64_t below = 1;
  for (auto entry = all.rbegin(); entry != all.rend(); ++entry) {
    const int64_t n = view.size(entry->dim);
    const Tensor offset = offsets(name, entry->index, n, below, site);
    if (result.linear.defined()) (void)broadcast_sizes(result.linear, offset, name, site);
    result.linear = result.linear.defined() ? result.linear.add(offset, 1, site) : offset;
    below *= n;
  }
  return result;
}

Tensor spread(const char* name, const Tensor& values, const Dims& sizes, CallSite site) {
  Tensor result = values;
  while (result.dim() > sizes.size() && result.size(0) == 1) result = result.squeeze(0, site);
  try {
    return result.expand(sizes, site);
  } catch (const ShapeError&) {
    throw ShapeError(str_cat(name, ": values of shape ", values.sizes(),
                             " do not fit the places' shape ", IntArrayRef(sizes)),
                     site);
  }
}

// Without a record. `values` have the shape that is picked, and the view's type.
void put_raw(const char* name, const Tensor& view, const JoinedPlaces& places, const Tensor& values,
             bool accumulate, CallSite site) {
  NoGradGuard raw;
  if (values.numel() == 0) return;
  const Tensor target = places.permuted(view, site);
  // In one piece; a view that is not gets its elements back.
  const Tensor whole = target.is_contiguous() ? target : target.clone(site).contiguous(site);
  const Tensor flat = places.flat(whole, site);
  const Tensor from = values.contiguous(site);
  const Rows rows = rows_of(flat.impl()->sizes, places.d);
  const Tensor at = checked_places(name, places.linear, rows.n, site);
  auto& backend = backend_for(view.device());
  void* const to = flat.impl()->writable();
  const auto* index = static_cast<const int64_t*>(at.impl()->data());
  if (accumulate) {
    backend.index_add(view.dtype(), rows, at.numel(), to, from.impl()->data(), index, {name, site});
  } else {
    backend.index_put(view.dtype(), rows, at.numel(), to, from.impl()->data(), index, {name, site});
  }
  if (!whole.is_same(target)) target.copy_(whole, false, site);
}

// A copy of `self` with the values put. The gradient of what was overwritten is zero; that of a
// value is the one of its place.
Tensor put(const char* name, const Tensor& self, const JoinedPlaces& places, const Tensor& values,
           bool accumulate, CallSite site) {
  Tensor result;
  {
    NoGradGuard raw;
    result = self.clone(site).contiguous(site);
    put_raw(name, result, places, values, accumulate, site);
  }
  return recorded(std::move(result), name, site, {&self, &values}, [&] {
    return [=](const Tensor& g, Needs needs) {
      Tensors grads(2);
      const Tensor picked =
          pick(name, places.flat(places.permuted(g, site), site), places.d, places.linear, site);
      if (needs(0)) {
        grads[0] = accumulate ? g
                              : put(name, g, places, zeros(picked.sizes(), picked.options(), site),
                                    false, site);
      }
      if (needs(1)) grads[1] = picked;
      return grads;
    };
  });
}

}  // namespace

Tensor pick_by_all(const char* name, const Tensor& view, const std::vector<IndexEntry>& entries,
                   CallSite site) {
  const JoinedPlaces places = places_of(name, view, entries, site);
  return pick(name, places.flat(places.permuted(view, site), site), places.d, places.linear, site);
}

void put_by_all(const char* name, const Tensor& view, const std::vector<IndexEntry>& entries,
                const Tensor& given, bool accumulate, CallSite site) {
  require_defined(given, "values", name, site);
  Tensor values = given;
  if (values.device() != view.device() && values.is_cpu() && values.dim() == 0) {
    const CauseScope cause(TransferCause::kOperand);
    values = values.to(view.device(), values.dtype(), false, false, site);
  }
  check_same_device(name, site, {{"self", view}, {"values", values}});
  if (values.dtype() != view.dtype()) {
    throw DTypeMismatchError(
        str_cat(name, ": values of ", name_of(values.dtype()), " into a tensor of ",
                name_of(view.dtype()), "\nhelp: convert them: values.to(self.scalar_type())"),
        site);
  }
  if (accumulate && view.dtype() == kBool) {
    throw DTypeMismatchError(str_cat(name, ": truths are not added"), site);
  }
  const JoinedPlaces places = places_of(name, view, entries, site);
  const Tensor flat = places.flat(places.permuted(view.detach(site), site), site);
  values = spread(
      name, values,
      picked_sizes(name, flat.impl()->sizes, places.d, places.linear.impl()->sizes, site), site);
  if (records({&view, &values}, name, site)) {
    assign_recorded(view, put(name, view, places, values, accumulate, site), name, site);
  } else {
    // Values that are seen in the tensor itself are read before any is written.
    put_raw(name, view, places, values.is_alias_of(view) ? values.clone(site) : values, accumulate,
            site);
  }
}

}  // namespace tensorlib
