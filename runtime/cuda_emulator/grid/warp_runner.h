#pragma once
// Runs a grid by code for whole warps: block after block, and in a block warp after warp, each
// until it waits at a barrier or takes turns in a loop. All that happens there is one call that
// returns and another that goes on: a warp that waits needs no stack. Where turns do not help, the
// warps leave, and threads go on with their block and run those behind it.

#include <memory>

#include "grid/grid_run.h"

namespace xfer::emulator::grid {

std::unique_ptr<GridRun> new_warp_run();

}  // namespace xfer::emulator::grid
