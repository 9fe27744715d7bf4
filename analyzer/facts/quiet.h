#pragma once
// Functions that leave alone every number that others can name: they change their own variables
// only, and memory that is no whole number. Getters are such, and what checks a call's status. A
// size is the same number behind them.

#include <clang/AST/Decl.h>
#include <llvm/ADT/DenseMap.h>

namespace xfer::analyzer {

class QuietFunctions {
 public:
  /// Null: it is not known which function.
  bool is_quiet(const clang::FunctionDecl* function);

 private:
  llvm::DenseMap<const clang::FunctionDecl*, bool> known_;
};

}  // namespace xfer::analyzer
