#include "machine/grid_in_progress.h"

namespace xfer::emulator {
namespace {

thread_local GridInProgress* in_progress = nullptr;

}  // namespace

GridInProgress* grid_in_progress() { return in_progress; }

void set_grid_in_progress(GridInProgress* grid) { in_progress = grid; }

}  // namespace xfer::emulator
