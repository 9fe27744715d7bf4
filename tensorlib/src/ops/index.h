// Elements of a tensor by tensors of their places.
#pragma once

#include <vector>

#include "backend/kernel_args.h"
#include "core/dims.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

// The rows of dimension d that `index` (int32 or int64, of any shape, on self's device) names; the
// result has the index's shape in place of dimension d. IndexError for a place that is not there
// (on a GPU the kernel stops). Recorded under `name`.
Tensor pick(const char* name, const Tensor& self, int d, const Tensor& index, CallSite site);

// gather() of the classes that `labels` (int64, on self's device) name, for an operation `name`: on
// a GPU an error says that a label of `name` is wrong.
Tensor of_classes(const char* name, const Tensor& self, int64_t dim, const Tensor& labels,
                  CallSite site);

// The building blocks. The tensor's dimensions before d, d itself, and those behind it.
Rows rows_of(const Dims& sizes, int d);
// `sizes` with those of the index in place of dimension d.
Dims picked_sizes(const char* name, const Dims& sizes, int d, const Dims& index, CallSite site);
// Places as int64, contiguous and, where that can be looked at without a wait, in range.
Tensor checked_places(const char* name, const Tensor& index, int64_t n, CallSite site);

// Tensors among the indices of a view, each with the dimension that it speaks of: bool or uint8
// masks (of that dimension and those behind it), or int32 and int64 places, from the end where
// negative.
struct IndexEntry {
  Tensor index;
  int dim;
};
bool is_mask(const Tensor& index);
// The places of a mask's truths, in row-major order. From a GPU this copies and waits, as how many
// they are depends on it.
std::vector<int64_t> true_places(const Tensor& mask, CallSite site);

// The elements that they name together, as NumPy and LibTorch say it: the indices broadcast, and
// their shape stands where their dimensions were, or first where these are not side by side.
Tensor pick_by_all(const char* name, const Tensor& view, const std::vector<IndexEntry>& entries,
                   CallSite site);
// There `values`, which broadcast to that shape, or are added.
void put_by_all(const char* name, const Tensor& view, const std::vector<IndexEntry>& entries,
                const Tensor& values, bool accumulate, CallSite site);

}  // namespace tensorlib
