#include "analyzer/facts/functions.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {

bool holds_function(clang::QualType type, Types& types) {
  type = type.getNonReferenceType();
  if (type->isFunctionPointerType()) return true;
  return is_std_function(type, types);
}

namespace {

/// The only call operator of a class or its bases.
const clang::CXXMethodDecl* call_operator(const clang::CXXRecordDecl& record,
                                          clang::ASTContext& context) {
  const clang::CXXRecordDecl* definition = record.getDefinition();
  if (definition == nullptr) return nullptr;
  const auto found =
      definition->lookup(context.DeclarationNames.getCXXOperatorName(clang::OO_Call));
  if (!found.empty())
    return found.isSingleResult() ? llvm::dyn_cast<clang::CXXMethodDecl>(found.front()) : nullptr;
  for (const clang::CXXBaseSpecifier& base : definition->bases())
    if (const auto* parent = base.getType()->getAsCXXRecordDecl())
      if (const clang::CXXMethodDecl* inherited = call_operator(*parent, context)) return inherited;
  return nullptr;
}

}  // namespace

bool is_std_function(clang::QualType type, Types& types) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record != nullptr && record->isInStdNamespace() &&
         types.qualified_name(*record) == "std::function";
}

const clang::FunctionDecl* function_given(const clang::Expr* argument, clang::ASTContext& context,
                                          Types& types) {
  for (unsigned depth = 0; depth < 6; ++depth) {
    argument = strip(argument);
    if (argument == nullptr) return nullptr;
    if (const auto* wrapped = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument)) {
      argument = wrapped->getExpr();
    } else if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument)) {
      argument = address->getSubExpr();
    } else if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(argument);
               reference != nullptr && llvm::isa<clang::FunctionDecl>(reference->getDecl())) {
      return llvm::cast<clang::FunctionDecl>(reference->getDecl());
    } else if (const auto* record = argument->getType()->getAsCXXRecordDecl();
               record != nullptr && !holds_function(argument->getType(), types)) {
      return call_operator(*record, context);
    } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(argument);
               made != nullptr && made->getNumArgs() > 0) {
      argument = made->getArg(0);
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

}  // namespace xfer::analyzer
