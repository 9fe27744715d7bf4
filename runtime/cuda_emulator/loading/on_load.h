#pragma once
// Libraries that a program loads while it runs.

#include "loading/loaded_module.h"

namespace xfer::emulator {

/// Calls `visit` for each library that is loaded from now on: it is mapped then, not relocated yet,
/// and none of its constructors has run. `visit` is called under the loader's lock, and does not
/// throw. False: this loader cannot be made to.
bool on_each_load(void (*visit)(const LoadedModule&));

}  // namespace xfer::emulator
