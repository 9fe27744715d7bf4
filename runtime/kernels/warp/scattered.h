#pragma once
// Loads and stores of lanes that are at places without an order.

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace xfer::kernels {

/// A function of the module that does it, made when it is first asked for. It takes the addresses'
/// vector of 64-bit numbers in memory, the mask of lanes, where device memory begins and how far it
/// is moved (see Block), and the vector of values in memory, which it reads or fills.
llvm::Function* scattered_access(llvm::Module& module, llvm::Type* type, bool stores);

}  // namespace xfer::kernels
