#pragma once
// Numbers that count through a loop.

#include <llvm/IR/Function.h>

#include "kernels/warp_frame.h"

namespace xfer::kernels {

/// Makes a number that begins differently in each lane, and goes up by the same in all, of where it
/// begins and one that counts for all. The loops are in simplified form.
void split_inductions(llvm::Function& thread, WarpShape shape);

}  // namespace xfer::kernels
