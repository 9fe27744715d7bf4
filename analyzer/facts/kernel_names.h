#pragma once
// Kernels that are launched by the name of a variable: those that the function may put there.

#include <clang/AST/Expr.h>
#include <llvm/ADT/SmallVector.h>

namespace xfer::analyzer {

/// The kernels that a launch may start, `launched` being the function that it names; empty: it may
/// be others too.
llvm::SmallVector<const clang::FunctionDecl*, 2> kernels_named(const clang::Expr* launched,
                                                               const clang::FunctionDecl* in);

}  // namespace xfer::analyzer
