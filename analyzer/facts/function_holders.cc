#include "analyzer/facts/function_holders.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/functions.h"

namespace xfer::analyzer {
namespace {

using clang::Expr;
using clang::ValueDecl;

constexpr unsigned kMaxNesting = 4;  ///< a map of lists of functions
constexpr unsigned kMaxSteps = 16;   ///< of an expression

const clang::FunctionProtoType* signature_held(clang::QualType type, Types& types, unsigned depth) {
  if (type.isNull() || depth > kMaxNesting) return nullptr;
  type = type.getNonReferenceType();
  if (type->isFunctionPointerType())
    return type->getPointeeType()->getAs<clang::FunctionProtoType>();
  if (const auto* array = type->getAsArrayTypeUnsafe())
    return signature_held(array->getElementType(), types, depth + 1);
  const auto* instance =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (instance == nullptr || !is_in_std(instance)) return nullptr;
  const bool function = is_std_function(type, types);
  for (const clang::TemplateArgument& argument : instance->getTemplateArgs().asArray()) {
    if (argument.getKind() != clang::TemplateArgument::Type) continue;
    if (function) return argument.getAsType()->getAs<clang::FunctionProtoType>();
    if (const auto* found = signature_held(argument.getAsType(), types, depth + 1)) return found;
  }
  return nullptr;
}

/// Of a call that returns what it is given, or a part of it, that: `v.at(i)`, `*it`,
/// `std::move(v)`. Null: it is another call.
const Expr* passed_on_by(const clang::CallExpr& call) {
  if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call)) {
    const bool part = op->getOperator() == clang::OO_Subscript ||
                      op->getOperator() == clang::OO_Star || op->getOperator() == clang::OO_Arrow;
    return part ? call.getArg(0) : nullptr;
  }
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call))
    return is_in_std(method->getMethodDecl()) ? method->getImplicitObjectArgument() : nullptr;
  return hands_on(call) && call.getNumArgs() > 0 ? call.getArg(0) : nullptr;
}

}  // namespace

bool is_in_std(const clang::Decl* decl) {
  const clang::DeclContext* around = decl == nullptr ? nullptr : decl->getDeclContext();
  while (around != nullptr && !around->isStdNamespace()) around = around->getParent();
  return around != nullptr;
}

bool hands_on(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!is_in_std(callee) || !callee->getDeclName().isIdentifier()) return false;
  constexpr llvm::StringRef kHandOn[] = {
      "move",  "forward", "ref", "cref", "as_const", "make_pair", "make_tuple", "make_optional",
      "begin", "cbegin",  "end", "cend", "next",     "prev",      "get"};
  return llvm::is_contained(kHandOn, callee->getName());
}

const clang::FunctionDecl* one_declaration(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* body = nullptr;
  return function.hasBody(body) ? body : function.getCanonicalDecl();
}

const ValueDecl* one_declaration(const ValueDecl& decl) {
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl))
    return one_declaration(*function);
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&decl);
  if (parameter == nullptr) return llvm::cast<ValueDecl>(decl.getCanonicalDecl());
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
  const unsigned index = parameter->getFunctionScopeIndex();
  if (function == nullptr || index >= function->getNumParams()) return parameter;
  return one_declaration(*function)->getParamDecl(index);
}

const clang::CXXMethodDecl* closure_of(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  const bool one = record != nullptr && record->isLambda() && !record->isGenericLambda();
  return one ? record->getLambdaCallOperator() : nullptr;
}

const clang::FunctionProtoType* signature_held(clang::QualType type, Types& types) {
  return signature_held(type, types, 0);
}

const ValueDecl* holder_of_function(const Expr* expr, Types& types) {
  for (unsigned depth = 0; depth < kMaxSteps; ++depth) {
    expr = strip(expr);
    if (expr == nullptr) return nullptr;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
      const ValueDecl* decl = name->getDecl();
      if (const auto* part = llvm::dyn_cast<clang::BindingDecl>(decl))
        decl = part->getDecomposedDecl();
      const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(decl);
      if (variable == nullptr) return nullptr;
      if (holds_functions(variable->getType(), types) && !variable->isImplicit())
        return one_declaration(*variable);
      // An iterator, or what a loop calls its range.
      expr = closure_of(variable->getType()) == nullptr ? variable->getInit() : nullptr;
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
      if (const auto* shared = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
        return holds_functions(shared->getType(), types) ? one_declaration(*shared) : nullptr;
      if (field == nullptr) return nullptr;
      // `it->second` is of the map.
      if (!is_in_std(field))
        return holds_functions(field->getType(), types) ? one_declaration(*field) : nullptr;
      expr = member->getBase();
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
      expr = subscript->getBase();
    } else if (const auto* followed = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
      if (followed->getOpcode() != clang::UO_Deref) return nullptr;
      expr = followed->getSubExpr();
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expr)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (callee == nullptr) return nullptr;
      const Expr* whole = passed_on_by(*call);
      if (whole == nullptr)
        return holds_functions(callee->getReturnType(), types) && !is_in_std(callee)
                   ? one_declaration(*callee)
                   : nullptr;
      expr = whole;
    } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) {
      if (made->getNumArgs() == 0 || closure_of(made->getType()) != nullptr) return nullptr;
      expr = made->getArg(0);
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

const ValueDecl* holder_called(const clang::CallExpr& call, Types& types) {
  const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  if (op != nullptr)
    return op->getOperator() == clang::OO_Call && is_std_function(op->getArg(0)->getType(), types)
               ? holder_of_function(op->getArg(0), types)
               : nullptr;
  if (call.getDirectCallee() != nullptr) return nullptr;
  return holder_of_function(call.getCallee(), types);
}

bool holds_functions(clang::QualType type, Types& types) {
  return signature_held(type, types) != nullptr;
}

}  // namespace xfer::analyzer
