#pragma once
// A walk over the code of a unit that is its authors' own, the instances of templates too.

#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

namespace xfer::analyzer {

class UnitWalk : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit UnitWalk(clang::ASTContext& context) : context_(context) {
    ShouldVisitTemplateInstantiations = true;
  }

  /// Visits the traversal scope, but for what stands in system headers.
  void walk();
  bool TraverseDecl(clang::Decl* decl) override;

 protected:
  clang::ASTContext& context_;
  const clang::FunctionDecl* function_ = nullptr;  ///< around what is visited
};

}  // namespace xfer::analyzer
