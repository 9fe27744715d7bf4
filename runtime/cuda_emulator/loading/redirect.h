#pragma once
// Names of NVIDIA's libraries that lead to functions of the emulated runtime.

#include "loading/emulated_runtime.h"
#include "loading/loaded_module.h"

namespace xfer::emulator {

/// Where the module is one of those that cudart/redirection.h lists, its table of names is changed,
/// so that whoever looks one up finds the emulated function. The functions themselves stay. Of one
/// that was loaded with the program names are bound already; it is noted, and a second one that is
/// loaded later keeps its functions.
void redirect(const LoadedModule& module, const EmulatedRuntime& emulated);

}  // namespace xfer::emulator
