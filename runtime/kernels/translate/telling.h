#pragma once
// Whether an instruction speaks to the host or to other kernels while its own runs: an access that
// others may count on (volatile, with acquire or release, or of the system's scope), or a fence of
// that scope. A kernel without any has nothing to say before it ends.

#include "ptx/module.h"

namespace xfer::kernels {

bool tells_others(const ptx::Instruction& instruction);

}  // namespace xfer::kernels
