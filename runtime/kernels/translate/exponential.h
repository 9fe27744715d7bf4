#pragma once
// Powers of two and logarithms, of plain operations: a warp computes them for all lanes at once,
// and every CPU gives the same bits. In double, so that nearly all results are the nearest floats;
// none is further than the next.

#include <llvm/IR/IRBuilder.h>

namespace xfer::kernels {

/// 2 to the power of a float.
llvm::Value* emit_exp2(llvm::IRBuilderBase& ir, llvm::Value* power);
/// The logarithm to the base 2 of a float.
llvm::Value* emit_log2(llvm::IRBuilderBase& ir, llvm::Value* value);

}  // namespace xfer::kernels
