#include "analyzer/facts/failure_checks.h"

#include <clang/AST/Decl.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// `cudaSuccess`, `CUDA_SUCCESS`, `CUBLAS_STATUS_SUCCESS`: the enumerator 0, and called so.
bool is_success(const clang::EnumConstantDecl& constant) {
  return constant.getName().ends_with_insensitive("success") && constant.getInitVal() == 0;
}

/// The expression says how a call of a library ended.
bool is_status(const clang::Expr& expr) {
  const auto* type = expr.getType().isNull() ? nullptr : expr.getType()->getAs<clang::EnumType>();
  const clang::EnumDecl* status = type == nullptr ? nullptr : type->getDecl()->getDefinition();
  return status != nullptr &&
         llvm::any_of(status->enumerators(), [](const auto* one) { return is_success(*one); });
}

/// How the call ends is an answer: where a pointer points, whether work is done.
bool is_question(const clang::Expr& expr) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&expr);
  const clang::FunctionDecl* callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr) return false;
  const llvm::StringRef name = callee->getName();
  return name.ends_with("Query") || name.contains("PointerGetAttribute") ||
         name.contains("HostRegister") || name.contains("HostGetDevicePointer");
}

/// The expression says whether a call of a library failed.
bool tells_failure(const clang::Expr& expr) { return is_status(expr) && !is_question(expr); }

}  // namespace

std::optional<bool> says_success(const clang::Expr& enumerator) {
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(&enumerator);
  const auto* constant =
      named == nullptr ? nullptr : llvm::dyn_cast<clang::EnumConstantDecl>(named->getDecl());
  if (constant == nullptr || !is_status(enumerator)) return std::nullopt;
  return is_success(*constant);
}

std::optional<bool> if_failed(const clang::Expr& condition) {
  const clang::Expr* expr = strip(&condition);
  if (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(expr);
      negation != nullptr && negation->getOpcode() == clang::UO_LNot) {
    const std::optional<bool> inner = if_failed(*negation->getSubExpr());
    return inner ? std::optional<bool>(!*inner) : std::nullopt;
  }
  const auto* compared = llvm::dyn_cast<clang::BinaryOperator>(expr);
  if (compared != nullptr && compared->isEqualityOp()) {
    const clang::Expr& left = *strip(compared->getLHS());
    const clang::Expr& right = *strip(compared->getRHS());
    const bool first = says_success(left).value_or(false);
    if (first == says_success(right).value_or(false) || !tells_failure(first ? right : left))
      return std::nullopt;
    return compared->getOpcode() == clang::BO_NE;
  }
  return tells_failure(*expr) ? std::optional<bool>(true) : std::nullopt;
}

}  // namespace xfer::analyzer
