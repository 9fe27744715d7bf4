#pragma once
// XFERCHECK_EMULATE asks for emulated devices, and this process uses another CUDA runtime: the
// variable was set and xfertrace --emulate left out, or the runtime is another version's.

namespace xfer::tracer {

/// At the start of tracing: says that the traced runtime is not the emulated one.
void say_if_not_emulated() noexcept;

/// At the end of a process that made no CUDA call here: says which runtime it has instead. Costs a
/// walk over the loaded libraries, and nothing where the variable is not set.
void say_if_bypassed() noexcept;

}  // namespace xfer::tracer
