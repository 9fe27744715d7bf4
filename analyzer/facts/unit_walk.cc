#include "analyzer/facts/unit_walk.h"

#include <utility>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {

void UnitWalk::walk() {
  for (clang::Decl* decl : context_.getTraversalScope()) TraverseDecl(decl);
}

bool UnitWalk::TraverseDecl(clang::Decl* decl) {
  if (decl == nullptr || is_in_system_header(*decl)) return true;
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
  const clang::FunctionDecl* around =
      function == nullptr ? function_ : std::exchange(function_, function);
  const bool on = clang::DynamicRecursiveASTVisitor::TraverseDecl(decl);
  function_ = around;
  return on;
}

}  // namespace xfer::analyzer
