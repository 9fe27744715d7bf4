#include "analyzer/facts/use_order.h"

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// Counts, while it walks, one more of what it is within.
template <class Walk>
bool walk_within(int& depth, bool counts, const Walk& walk) {
  depth += counts ? 1 : 0;
  const bool all = walk();
  depth -= counts ? 1 : 0;
  return all;
}

/// A number that the call gives.
bool is_setting(const clang::Expr& expr) {
  const clang::VarDecl* variable = variable_named(without_casts(&expr));
  return llvm::isa_and_nonnull<clang::ParmVarDecl>(variable) &&
         variable->getType()->isArithmeticType();
}

bool rests_on_settings(const clang::Stmt& condition) {
  if (const auto* expr = llvm::dyn_cast<clang::Expr>(&condition);
      expr != nullptr && llvm::isa<clang::DeclRefExpr>(strip(expr)))
    return is_setting(*expr);
  return llvm::isa<clang::Expr>(condition) &&
         llvm::all_of(condition.children(), [](const clang::Stmt* child) {
           return child == nullptr || rests_on_settings(*child);
         });
}

}  // namespace

bool UseOrder::TraverseBinaryOperator(clang::BinaryOperator* expr) {
  const bool scaled = expr->getOpcode() == clang::BO_Mul &&
                      (is_setting(*expr->getLHS()) || is_setting(*expr->getRHS()));
  const bool second_first = expr->isAssignmentOp();
  return walk_within(scaled_, scaled, [&] {
    return TraverseStmt(second_first ? expr->getRHS() : expr->getLHS()) &&
           TraverseStmt(second_first ? expr->getLHS() : expr->getRHS());
  });
}

bool UseOrder::TraverseIfStmt(clang::IfStmt* choice) {
  return walk_within(optional_, rests_on_settings(*choice->getCond()),
                     [&] { return clang::DynamicRecursiveASTVisitor::TraverseIfStmt(choice); });
}

bool UseOrder::TraverseConditionalOperator(clang::ConditionalOperator* choice) {
  return walk_within(optional_, rests_on_settings(*choice->getCond()), [&] {
    return clang::DynamicRecursiveASTVisitor::TraverseConditionalOperator(choice);
  });
}

}  // namespace xfer::analyzer
