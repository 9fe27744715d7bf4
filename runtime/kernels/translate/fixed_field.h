#pragma once
// Reads of what stays the same while code runs: LLVM may read it once.

#include <llvm/IR/IRBuilder.h>

#include <cstddef>

namespace xfer::kernels {

inline llvm::LoadInst* fixed(llvm::LoadInst* load) {
  load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(load->getContext(), {}));
  return load;
}

/// A member of a structure of the seam, by its offset.
inline llvm::LoadInst* fixed_field(llvm::IRBuilderBase& ir, llvm::Value* object, std::size_t offset,
                                   llvm::Type* type) {
  return fixed(ir.CreateLoad(type, ir.CreateConstGEP1_64(ir.getInt8Ty(), object, offset)));
}

}  // namespace xfer::kernels
