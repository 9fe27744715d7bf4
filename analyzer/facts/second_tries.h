#pragma once
// Frees that make up for one that did not succeed:
// `if (cudaFreeAsync(p, s) == cudaErrorNotSupported) cudaFree(p);`

#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseSet.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// The frees in branches that ask how an earlier free ended.
llvm::DenseSet<const clang::Expr*> second_tries(const clang::Stmt& body, Types& types);

}  // namespace xfer::analyzer
