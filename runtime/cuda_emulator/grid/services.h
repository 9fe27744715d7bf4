#pragma once
// The services that the runner gives translated kernels: the functions behind kernels::Services.

#include "kernels/frame.h"

namespace xfer::emulator::grid {

const kernels::Services& services();

}  // namespace xfer::emulator::grid
