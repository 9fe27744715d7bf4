#pragma once
// Runs a grid by code for whole warps: block after block, and in a block warp after warp, each
// until it waits at a barrier. All that happens there is one call that returns and another that
// goes on: a warp that waits needs no stack.

#include <memory>

#include "grid/grid_run.h"

namespace xfer::emulator::grid {

std::unique_ptr<GridRun> new_warp_run();

}  // namespace xfer::emulator::grid
