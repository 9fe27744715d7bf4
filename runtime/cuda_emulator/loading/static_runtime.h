#pragma once
// NVIDIA's runtime inside a program or a library.

#include "loading/emulated_runtime.h"
#include "loading/loaded_module.h"

namespace xfer::emulator {

/// Makes each function of a runtime that is linked into the module jump to the emulated one, before
/// the module's constructors call the first of them. Says so where that cannot be.
void replace_static_runtime(const LoadedModule& module, const EmulatedRuntime& emulated);

}  // namespace xfer::emulator
