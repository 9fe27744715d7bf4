#pragma once
// Runs the host version of a kernel over its grid: block after block, and in a block thread after
// thread. A thread that reaches a barrier is put aside on its own stack and the next one starts, so
// a kernel without barriers costs one stack switch a block. One grid at a time (the machine's
// lock).

#include <string>

#include "machine/kernel_registry.h"

namespace xfer::emulator {

/// Runs it; args as HostKernelRun takes them. What went wrong on the device, empty when nothing
/// did.
/// A __trap() is the text kTrapped.
inline constexpr const char* kTrapped = "the kernel ended itself by __trap()";
std::string run_grid(const HostVersion& kernel, dim3 grid, dim3 block,
                     std::size_t dynamic_shared_bytes, void** args);

/// For the fault handler, in the thread that runs a grid: says why the grid is given up. Then
/// leave_grid(), which does not return; on the stack that the fault came on, or below it.
/// Async-signal-safe, both.
void fail_grid(const char* what);
[[noreturn]] void leave_grid();
/// Whether the calling thread runs a grid now.
bool in_grid();

}  // namespace xfer::emulator
