#pragma once
// Makes code for the 32 lanes of a warp out of code for one thread. A value that differs from lane
// to lane becomes a vector; one that does not stays as it is. Lanes that go different ways do so
// one way behind the other, each block under a mask of the lanes that came to it.

#include <llvm/IR/Function.h>

#include <optional>
#include <string>

#include "kernels/warp_frame.h"

namespace xfer::kernels {

/// Why the function of a thread cannot become one of a warp; nothing: it can. The function has been
/// prepared: calls inlined, no switches, its loops in LCSSA form.
std::optional<std::string> wrong_for_warp(llvm::Function& thread, WarpShape shape);

/// Puts a function of that name, a RunWarp for blocks of that shape, in the place of the thread's.
void widen(llvm::Function& thread, const std::string& name, WarpShape shape);

/// Why the functions that the thread calls cannot all be inlined, as prepare_for_warp does.
std::optional<std::string> wrong_to_inline(const llvm::Function& thread);

/// Inlines all functions, and brings the thread's into the form that these two want.
void prepare_for_warp(llvm::Module& module, llvm::Function& thread, WarpShape shape);

}  // namespace xfer::kernels
