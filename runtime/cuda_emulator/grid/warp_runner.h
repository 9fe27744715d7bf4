#pragma once
// Runs a grid by code for whole warps: block after block, and in a block warp after warp, each
// until it waits at a barrier. All that happens there is one call that returns and another that
// goes on: a warp that waits needs no stack.

#include <string>

#include "grid/launch.h"

namespace xfer::emulator::grid {

/// As run() of launch.h, by the code of a warp.
Failure run_warps(const Launch& launch);

}  // namespace xfer::emulator::grid
