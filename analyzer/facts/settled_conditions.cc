// Conditions that come out the same in every run, though no constant expression says so.

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// Of `typeid(T)`, `typeid(object)`: the type that it names before the program runs; null where the
/// object's own type counts.
clang::QualType named_type(const clang::Expr& expr, clang::ASTContext& context) {
  const auto* named = llvm::dyn_cast<clang::CXXTypeidExpr>(strip(&expr));
  if (named == nullptr || named->isValueDependent() || named->isPotentiallyEvaluated()) return {};
  return named->isTypeOperand()
             ? named->getTypeOperand(context)
             : named->getExprOperand()->getType().getNonReferenceType().getUnqualifiedType();
}

/// `typeid(T) == typeid(float)` in an instance of a template.
std::optional<bool> compares_types(const clang::Expr& condition, clang::ASTContext& context) {
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&condition);
  if (call == nullptr || call->getNumArgs() != 2) return std::nullopt;
  const bool equal = call->getOperator() == clang::OO_EqualEqual;
  if (!equal && call->getOperator() != clang::OO_ExclaimEqual) return std::nullopt;
  const clang::QualType left = named_type(*call->getArg(0), context);
  const clang::QualType right = named_type(*call->getArg(1), context);
  if (left.isNull() || right.isNull()) return std::nullopt;
  return context.hasSameType(left, right) == equal;
}

}  // namespace

std::optional<bool> settled_condition(const clang::Expr& condition,
                                      const clang::FunctionDecl& function) {
  const clang::Expr* expr = strip(&condition);
  // C++20 makes `!(a == b)` of `a != b`.
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(expr))
    expr = strip(rewritten->getSemanticForm());
  if (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(expr);
      negation != nullptr && negation->getOpcode() == clang::UO_LNot) {
    const std::optional<bool> inner = settled_condition(*negation->getSubExpr(), function);
    if (inner) return !*inner;
    return std::nullopt;
  }
  if (const auto known = compares_types(*expr, function.getASTContext())) return known;
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  const auto* flag = named != nullptr ? llvm::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
  if (flag == nullptr || !flag->getType()->isBooleanType() || flag->getInit() == nullptr)
    return std::nullopt;
  bool value = false;
  if (!flag->getInit()->EvaluateAsBooleanCondition(value, function.getASTContext()) ||
      !keeps_its_value(*flag, function))
    return std::nullopt;
  return value;
}

}  // namespace xfer::analyzer
