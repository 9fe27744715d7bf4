#pragma once
// The services for which it is all one whether threads or warps run one by one. What each does is
// said at kernels::Services.

#include "kernels/frame.h"

namespace xfer::emulator::grid {

/// `own`, and with them those: printf, malloc, textures, surfaces, and what ends a kernel.
kernels::Services with_common_services(kernels::Services own);

}  // namespace xfer::emulator::grid
