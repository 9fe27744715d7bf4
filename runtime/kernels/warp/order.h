#pragma once
// The order in which a warp goes through a function's blocks: each behind all that lead to it, but
// for ways back, and the blocks of a loop one behind the other.

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include <optional>
#include <vector>

namespace xfer::kernels {

struct OrderedBlock {
  llvm::BasicBlock* block = nullptr;
  /// The loops that this block is the last of, the innermost first.
  std::vector<llvm::Loop*> ends;
};

/// Nothing: the function has loops with two ways in.
std::optional<std::vector<OrderedBlock>> order_of(llvm::Function& function, llvm::LoopInfo& loops);

}  // namespace xfer::kernels
