#pragma once
// Runs a grid by code for whole warps, block after block. A block whose warps only take turns in
// loops is put aside, and the next one begins beside it, as many as the device holds. Where turns
// do not help, because lanes of a warp wait for each other or all wait for the host, the warps
// leave, and threads go on with their blocks and run those behind them.

#include <memory>

#include "grid/grid_run.h"

namespace xfer::emulator::grid {

std::unique_ptr<GridRun> new_warp_run();

}  // namespace xfer::emulator::grid
