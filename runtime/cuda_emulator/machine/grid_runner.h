#pragma once
// Runs the host version of a kernel over its grid: block after block, and in a block thread after
// thread. A thread that reaches a barrier is put aside on its own stack and the next one starts, so
// a kernel without barriers costs one stack switch a block. One grid at a time (the machine's
// lock).

#include <string>

#include "machine/kernel_registry.h"

namespace xfer::emulator {

/// Runs it; args as HostKernelRun takes them. Returns the error on the device, empty if there was
/// none.
std::string run_grid(const HostVersion& kernel, dim3 grid, dim3 block,
                     std::size_t dynamic_shared_bytes, void** args);

}  // namespace xfer::emulator
