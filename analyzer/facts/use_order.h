#pragma once
// The uses of a function's variables in the order in which they come about.

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include <vector>

namespace xfer::analyzer {

class UseOrder : public clang::DynamicRecursiveASTVisitor {
 public:
  struct Use {
    const clang::DeclRefExpr* expr;
    bool optional;  ///< whether it comes about is a setting's: `if (accumulate)`
    bool scaled;    ///< by a setting, which may be 0: `beta * p[i]`
  };

  bool TraverseBinaryOperator(clang::BinaryOperator* expr) override;
  bool TraverseIfStmt(clang::IfStmt* choice) override;
  bool TraverseConditionalOperator(clang::ConditionalOperator* choice) override;
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    uses_.push_back({expr, optional_ > 0, scaled_ > 0});
    return true;
  }

  const std::vector<Use>& uses() const { return uses_; }

 private:
  std::vector<Use> uses_;
  int optional_ = 0;
  int scaled_ = 0;
};

}  // namespace xfer::analyzer
