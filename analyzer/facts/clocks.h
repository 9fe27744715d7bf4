#pragma once
// Functions that read a clock and do nothing else that takes time on a device: by their models, by
// their bodies, or by their names, as one that reads a counter of the processor.

#include <clang/AST/Decl.h>
#include <llvm/ADT/DenseMap.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

class Clocks {
 public:
  explicit Clocks(Types& types) : types_(types) {}

  /// A call of the function with so many arguments reads a clock.
  bool reads_clock(const clang::FunctionDecl& function, unsigned arguments);
  /// The call is given a function that reads one: a stream's callback.
  bool given_clock(const clang::CallExpr& call);

 private:
  bool is_clock(const clang::FunctionDecl& function);

  Types& types_;
  llvm::DenseMap<const clang::FunctionDecl*, bool> known_;
};

}  // namespace xfer::analyzer
