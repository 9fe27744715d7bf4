#include "machine/grid_in_progress.h"

#include <atomic>

namespace xfer::emulator {
namespace {

// Signal handlers read it, on a fiber too.
thread_local std::atomic<GridInProgress*> in_progress = nullptr;

}  // namespace

GridInProgress* grid_in_progress() { return in_progress.load(std::memory_order_relaxed); }

void set_grid_in_progress(GridInProgress* grid) {
  in_progress.store(grid, std::memory_order_relaxed);
}

}  // namespace xfer::emulator
