#pragma once
// Tests that a library refuses what they give it.

#include <llvm/ADT/DenseSet.h>

namespace clang {
class Expr;
class Stmt;
}  // namespace clang

namespace xfer::analyzer {

/// The calls of a body that GoogleTest expects to fail: `EXPECT_EQ(cudaFree(p), cudaErrorX)`, or
/// by a variable that holds how the call ended, `EXPECT_NE(status, cudaSuccess)`.
llvm::DenseSet<const clang::Expr*> expected_failures(const clang::Stmt& body);

}  // namespace xfer::analyzer
