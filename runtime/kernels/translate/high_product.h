#pragma once
// The upper half of a product of 64 bits by 64 (mul.hi, and every division by a constant). Code
// calls a function for it, which gets a body when it is known how the code will run: CPUs multiply
// so in one register, but not in the lanes of a vector.

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace xfer::kernels {

llvm::Value* high_product(llvm::IRBuilderBase& ir, llvm::Value* a, llvm::Value* b, bool is_signed);

enum class ProductBy { kWideRegister, kHalves };
/// Gives the functions that the module has, and that have none, bodies to be inlined.
void define_high_products(llvm::Module& module, ProductBy how);

}  // namespace xfer::kernels
