// Rows of a tensor by a tensor of their places.
#pragma once

#include "tensorlib/tensor.h"

namespace tensorlib {

// The rows of dimension d that `index` (int32 or int64, of any shape, on self's device) names; the
// result has the index's shape in place of dimension d. IndexError for a place that is not there
// (on a GPU the kernel stops). Recorded under `name`.
Tensor pick(const char* name, const Tensor& self, int d, const Tensor& index, CallSite site);

}  // namespace tensorlib
