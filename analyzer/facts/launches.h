#pragma once
// Kernels that a call of the runtime starts: `cudaLaunchKernel(kernel, grid, block, arguments)`.

#include <clang/AST/Expr.h>

#include <optional>

namespace xfer::analyzer {

/// Which arguments of such a call are the kernel and the array of pointers to its arguments.
struct LaunchCall {
  unsigned kernel, arguments;
};

/// None: the call starts no kernel that way.
std::optional<LaunchCall> launch_call(const clang::CallExpr& call);

/// `a`, `b` of `{&a, (void*)&b}`, an array that is made to be given to such a call; empty: the
/// variable is none.
llvm::SmallVector<const clang::UnaryOperator*, 8> launch_arguments(const clang::VarDecl& array);

}  // namespace xfer::analyzer
