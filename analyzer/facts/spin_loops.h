#pragma once
// Loops that do nothing but wait for what the other side writes: `while (!*ready) continue;`

#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseSet.h>

namespace xfer::analyzer {

/// All that stands in the conditions of such loops in a body.
llvm::DenseSet<const clang::Expr*> spun_on(const clang::Stmt& body);

}  // namespace xfer::analyzer
