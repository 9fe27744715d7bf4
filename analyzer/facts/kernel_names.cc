#include "analyzer/facts/kernel_names.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

using Kernels = llvm::SmallVector<const clang::FunctionDecl*, 2>;

/// The functions that an expression is: one, either of a choice, those of a list. False: it may be
/// others.
bool add_functions(const clang::Expr* expr, Kernels& found) {
  expr = without_casts(expr);
  if (const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(expr);
      address != nullptr && address->getOpcode() == clang::UO_AddrOf)
    expr = without_casts(address->getSubExpr());
  if (const auto* choice = llvm::dyn_cast_or_null<clang::ConditionalOperator>(expr))
    return add_functions(choice->getTrueExpr(), found) &&
           add_functions(choice->getFalseExpr(), found);
  if (const auto* list = llvm::dyn_cast_or_null<clang::InitListExpr>(expr))
    return llvm::all_of(list->inits(),
                        [&](const clang::Expr* one) { return add_functions(one, found); });
  const auto* named = llvm::dyn_cast_or_null<clang::DeclRefExpr>(expr);
  const auto* function =
      named == nullptr ? nullptr : llvm::dyn_cast<clang::FunctionDecl>(named->getDecl());
  if (function != nullptr) found.push_back(function);
  return function != nullptr || (expr != nullptr && is_null(expr));
}

/// All that a function puts into a variable of its own.
class PutThere : public clang::DynamicRecursiveASTVisitor {
 public:
  PutThere(const clang::VarDecl& variable, Kernels& found) : variable_(variable), found_(found) {}

  bool VisitBinaryOperator(clang::BinaryOperator* assigned) override {
    if (assigned->isAssignmentOp() && is_variable(assigned->getLHS()))
      known &= add_functions(assigned->getRHS(), found_);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* address) override {
    if (address->getOpcode() == clang::UO_AddrOf && is_variable(address->getSubExpr()))
      known = false;
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* other) override {
    if (other->getType()->isReferenceType() && is_variable(other->getInit())) known = false;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    for (const clang::Expr* argument : call->arguments())
      if (argument->isLValue() && is_variable(argument)) known = false;
    return true;
  }

  bool known = true;

 private:
  bool is_variable(const clang::Expr* expr) const {
    expr = without_casts(expr);
    if (const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(expr))
      expr = without_casts(element->getBase());
    return expr != nullptr && variable_named(expr) == &variable_;
  }

  const clang::VarDecl& variable_;
  Kernels& found_;
};

}  // namespace

Kernels kernels_named(const clang::Expr* launched, const clang::FunctionDecl* in) {
  Kernels found;
  if (launched == nullptr) return found;
  if (add_functions(launched, found)) return found;
  found.clear();
  const clang::Expr* holder = without_casts(launched);
  if (const auto* followed = llvm::dyn_cast<clang::UnaryOperator>(holder);
      followed != nullptr && followed->getOpcode() == clang::UO_Deref)
    holder = without_casts(followed->getSubExpr());
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(holder))
    holder = without_casts(element->getBase());
  const clang::VarDecl* variable = variable_named(holder);
  const bool own = variable != nullptr && !llvm::isa<clang::ParmVarDecl>(variable) &&
                   (variable->hasLocalStorage() || variable->getType().isConstQualified());
  if (!own || in == nullptr || !in->hasBody()) return found;
  bool known = variable->getInit() == nullptr || add_functions(variable->getInit(), found);
  PutThere put(*variable, found);
  put.TraverseStmt(in->getBody());
  if (!known || !put.known) found.clear();
  return found;
}

}  // namespace xfer::analyzer
