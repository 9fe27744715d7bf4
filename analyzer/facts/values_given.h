#pragma once
// A walk over a body that is told which variable is given which value.

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {

class ValuesGiven : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr) give(*variable, *variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* binary) override {
    const clang::VarDecl* variable =
        binary->getOpcode() == clang::BO_Assign ? variable_named(binary->getLHS()) : nullptr;
    if (variable != nullptr) give(*variable, *binary->getRHS());
    return true;
  }

 private:
  /// `T variable = value`, `variable = value`
  virtual void give(const clang::VarDecl& variable, const clang::Expr& value) = 0;
};

}  // namespace xfer::analyzer
