#pragma once
// Code that records what it touches. Before each access to device memory it calls a function that
// marks the bytes, which gets a body when it is known how the code will run.

#include <llvm/IR/Module.h>

namespace xfer::kernels {

/// Puts such a call before each access. False: there are accesses of which it cannot.
bool insert_touches(llvm::Module& module);
/// touch(thread, address, bytes, writes).
bool is_touch(const llvm::Value* value);
/// Gives the function a body, if there is one.
void define_touch(llvm::Module& module);

}  // namespace xfer::kernels
