// The random generator: counter-based (Philox 4x32-10, kernels/philox.h), so that a seed gives the
// same numbers on every device and with every number of threads. Process-wide; safe to use from
// several threads.
#pragma once

#include "backend/kernel_args.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

// Fills a tensor with the distribution's next numbers; a and b as in RandomSpec.
void fill_random(const Tensor& out, Distribution distribution, double a, double b,
                 const char* operation, CallSite site);

}  // namespace tensorlib
