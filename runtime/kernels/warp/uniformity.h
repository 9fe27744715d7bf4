#pragma once
// Which values of a thread's code are the same for all lanes that run it together.

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <cstddef>
#include <optional>

#include "kernels/warp_frame.h"

namespace xfer::kernels {

/// Of a function that takes a Thread*. Holds until the function is changed.
class Uniformity {
 public:
  Uniformity(llvm::Function& function, WarpShape shape);

  bool same(const llvm::Value* value) const {
    return llvm::isa<llvm::Constant>(value) || info_->isUniform(value);
  }
  /// Lanes may go different ways behind the block.
  bool divides(const llvm::BasicBlock& block) const { return info_->hasDivergentTerminator(block); }

 private:
  llvm::FunctionAnalysisManager analyses_;
  llvm::UniformityInfo* info_;
};

/// The field of Thread that the pointer leads to, by its offset; nothing: it leads elsewhere.
std::optional<std::size_t> thread_field_of(const llvm::Value* pointer);

}  // namespace xfer::kernels
