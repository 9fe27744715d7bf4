#pragma once
// Host code that touches device memory faults. The handler writes down where, before the fault has
// its way: the program's own handler, if it has one, or the program's end by the signal.

#include "cuda_queries.h"

namespace xfer::tracer {

/// Once a tracer is there. For SIGSEGV and SIGBUS. Emulated CUDA is made to watch host memory, and
/// what it watches is opened again here, also when the tracer has ended.
void install_fault_handler(const CudaQueries& queries) noexcept;

}  // namespace xfer::tracer
