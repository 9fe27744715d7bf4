#pragma once
// The services that work the same whether threads or warps run one by one. kernels::Services says
// what each does.

#include "kernels/frame.h"

namespace xfer::emulator::grid {

/// `own`, and with them those: printf, malloc, textures, surfaces, and what ends a kernel.
kernels::Services with_common_services(kernels::Services own);

}  // namespace xfer::emulator::grid
