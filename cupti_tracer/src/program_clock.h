#pragma once
// That the program reads a clock: a wait before that may be there for the time.

namespace xfer::tracer {

/// The code at `caller` reads one, in the calling thread. CUDA's and PyTorch's own libraries are
/// not the program. Safe in signal handlers, with glibc 2.35 and newer.
void note_clock_read(const void* caller) noexcept;

}  // namespace xfer::tracer
