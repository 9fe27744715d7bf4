// Functions that are given to functions: which parameter a call calls, and what it is then.

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {

const clang::FunctionDecl* Reader::function_given(const clang::Expr* argument,
                                                  const clang::FunctionDecl* callee,
                                                  unsigned parameter) {
  if (callee == nullptr || parameter >= callee->getNumParams() ||
      !holds_function(callee->getParamDecl(parameter)->getType(), types_))
    return nullptr;
  return analyzer::function_given(argument, context_, types_);
}

/// The parameter whose function is called; none: it is another function, or the parameter may hold
/// another one.
std::optional<std::uint32_t> Reader::parameter_called(const clang::CallExpr& expr) const {
  const auto* method = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expr);
  const clang::Expr* called = method != nullptr && method->getOperator() == clang::OO_Call
                                  ? method->getArg(0)
                                  : expr.getCallee();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(strip(called));
  const auto* parameter =
      reference == nullptr ? nullptr : llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl());
  if (parameter == nullptr || parameter->getDeclContext() != function_ ||
      !holds_function(parameter->getType(), types_) || !scan_.called_parameters.contains(parameter))
    return std::nullopt;
  return parameter->getFunctionScopeIndex();
}

}  // namespace xfer::analyzer
