#pragma once
// What translated kernels ask of the runner: the functions behind kernels::Services.

#include "kernels/frame.h"

namespace xfer::emulator::grid {

const kernels::Services& services();

}  // namespace xfer::emulator::grid
