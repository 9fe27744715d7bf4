#include "analyzer/facts/expr.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

namespace xfer::analyzer {

const clang::CXXRecordDecl* first_base(const clang::CXXRecordDecl& record) {
  for (const clang::CXXBaseSpecifier& base : record.bases())
    if (const auto* parent = base.getType()->getAsCXXRecordDecl()) return parent->getDefinition();
  return nullptr;
}

bool is_in_system_header(const clang::Decl& decl) {
  return decl.getASTContext().getSourceManager().isInSystemHeader(decl.getLocation());
}

bool is_code(const clang::Decl& decl) {
  if (is_in_system_header(decl)) return false;
  const auto* inner = llvm::dyn_cast<clang::DeclContext>(&decl);
  return inner == nullptr || !inner->isDependentContext();
}

const clang::Expr* strip(const clang::Expr* expr) {
  while (expr != nullptr) {
    const clang::Expr* inner = expr->IgnoreParenImpCasts();
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(inner))
      inner = full->getSubExpr();
    else if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr();
    else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(inner))
      inner = bound->getSubExpr();
    else if (const auto* substituted = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(inner))
      inner = substituted->getReplacement();
    if (inner == expr) return expr;
    expr = inner;
  }
  return expr;
}

namespace {

/// Of what a template gives to a constructor, `member(value)`, the type is not known yet.
bool has_type(const clang::Expr& expr) { return !expr.getType().isNull(); }

/// The expression that an object is made of, through copies and braces; null: none, or several.
const clang::Expr* made_of(const clang::Expr* expr) {
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expr))
    return list->getNumInits() == 1 ? strip(list->getInit(0)) : nullptr;
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
  if (made == nullptr) return nullptr;
  for (unsigned index = 1; index < made->getNumArgs(); ++index)
    if (!llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(index))) return nullptr;
  return made->getNumArgs() == 0 ? nullptr : strip(made->getArg(0));
}

}  // namespace

bool is_null(const clang::Expr* expr) {
  for (expr = strip(expr); expr != nullptr; expr = made_of(expr))
    if (has_type(*expr) && expr->getType()->isNullPtrType()) return true;
  return false;
}

bool is_made_of_nothing(const clang::Expr* expr) {
  expr = strip(expr);
  while (expr != nullptr && made_of(expr) != nullptr) expr = made_of(expr);
  const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(expr);
  return made != nullptr && made->getNumArgs() == 0;
}

const clang::Decl* root_of(const clang::Expr* expr) {
  while ((expr = strip(expr)) != nullptr) {
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr))
      return reference->getDecl();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
      const clang::Expr* base = strip(member->getBase());
      if (base == nullptr || llvm::isa<clang::CXXThisExpr>(base)) return member->getMemberDecl();
      expr = base;
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr)) {
      if (call->getNumArgs() == 0) return nullptr;
      expr = call->getArg(0);
    } else if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr)) {
      expr = method->getImplicitObjectArgument();
      const auto* named = returned_field(method->getMethodDecl());
      if (named != nullptr && llvm::isa_and_nonnull<clang::CXXThisExpr>(strip(expr))) return named;
    } else if (llvm::isa<clang::CXXThisExpr>(expr)) {
      return nullptr;
    } else if (const auto* plain = llvm::dyn_cast<clang::CallExpr>(expr)) {
      // std::get<0>(x), std::move(x)
      const clang::FunctionDecl* callee = plain->getDirectCallee();
      if (callee == nullptr || plain->getNumArgs() != 1 || !callee->isInStdNamespace())
        return nullptr;
      expr = plain->getArg(0);
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
      expr = subscript->getBase();
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

const clang::Expr* without_casts(const clang::Expr* expr) {
  expr = strip(expr);
  while (const auto* cast = llvm::dyn_cast_or_null<clang::ExplicitCastExpr>(expr))
    expr = strip(cast->getSubExpr());
  return expr;
}

const clang::Expr* pointer_base(const clang::Expr* expr) {
  for (;;) {
    expr = strip(expr);
    if (expr == nullptr) return nullptr;
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expr)) {
      expr = cast->getSubExpr();
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
      if (!binary->isAdditiveOp() && !binary->isAssignmentOp()) return expr;
      const bool right = binary->getRHS()->getType()->isPointerType() && binary->isAdditiveOp();
      expr = right ? binary->getRHS() : binary->getLHS();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
      if (unary->isIncrementDecrementOp()) {
        expr = unary->getSubExpr();
        continue;
      }
      const clang::Expr* inner = strip(unary->getSubExpr());
      if (unary->getOpcode() != clang::UO_AddrOf) return expr;
      if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner))
        expr = subscript->getBase();
      else if (const auto* followed = llvm::dyn_cast<clang::UnaryOperator>(inner);
               followed != nullptr && followed->getOpcode() == clang::UO_Deref)
        expr = followed->getSubExpr();
      else
        return expr;
    } else {
      return expr;
    }
  }
}

const clang::Expr* addressed_by(const clang::Expr* expr) {
  const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(without_casts(expr));
  return address != nullptr && address->getOpcode() == clang::UO_AddrOf ? address->getSubExpr()
                                                                        : nullptr;
}

const clang::Expr* as_given(const clang::Expr* argument) {
  const auto* unwritten = llvm::dyn_cast_or_null<clang::CXXDefaultArgExpr>(argument);
  return unwritten == nullptr ? argument : unwritten->getExpr();
}

bool is_null_pointer(const clang::Expr& expr, clang::ASTContext& context) {
  if (!has_type(expr)) return false;
  return is_null(&expr) ||
         expr.isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNotNull);
}

const clang::Expr* counted_by(const clang::Expr& expr) {
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr);
  const clang::CXXMethodDecl* method = call == nullptr ? nullptr : call->getMethodDecl();
  const bool counts =
      method != nullptr && method->getIdentifier() != nullptr && method->getName() == "size";
  return counts ? call->getImplicitObjectArgument() : nullptr;
}

const clang::FieldDecl* own_field(const clang::Expr& expr) {
  const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(strip(&expr));
  const bool own =
      member != nullptr && llvm::isa_and_nonnull<clang::CXXThisExpr>(strip(member->getBase()));
  return own ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
}

bool may_be_overridden(const clang::CXXMethodDecl& method) {
  return method.isVirtual() && method.getParent()->hasDefinition() &&
         !method.hasAttr<clang::FinalAttr>() && !method.getParent()->isEffectivelyFinal();
}

const clang::Expr* only_returned(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  if (function == nullptr || !function->hasBody(definition) || function->isVariadic() ||
      (method != nullptr && may_be_overridden(*method)))
    return nullptr;
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
  if (body == nullptr || body->size() != 1) return nullptr;
  const auto* leave = llvm::dyn_cast<clang::ReturnStmt>(body->body_front());
  return leave == nullptr ? nullptr : strip(leave->getRetValue());
}

const clang::FieldDecl* returned_field(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  if (method == nullptr || !method->isInlined() || method->getNumParams() != 0) return nullptr;
  const clang::Expr* value = only_returned(method);
  if (const auto* copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(value))
    value = copy->getConstructor()->isCopyOrMoveConstructor() ? strip(copy->getArg(0)) : nullptr;
  return value == nullptr ? nullptr : own_field(*value);
}

const clang::ValueDecl* variable_or_field(const clang::Expr& expr) {
  const auto* reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(strip(&expr));
  if (reference == nullptr) return own_field(expr);
  const clang::ValueDecl* named = reference->getDecl();
  return llvm::isa<clang::VarDecl, clang::BindingDecl>(named) ? named : nullptr;
}

const clang::VarDecl* variable_named(const clang::Expr* expr) {
  const auto* reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(strip(expr));
  return reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
}

const clang::Expr* argument_of(const clang::Expr& call, std::uint32_t parameter) {
  const auto at = [&](const auto& expr, unsigned first) -> const clang::Expr* {
    return parameter + first < expr.getNumArgs() ? expr.getArg(parameter + first) : nullptr;
  };
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&call)) return at(*made, 0);
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call))
    return parameter == kThisParameter ? method->getImplicitObjectArgument() : at(*method, 0);
  if (const auto* plain = llvm::dyn_cast<clang::CallExpr>(&call)) {
    const bool object_first = llvm::isa<clang::CXXOperatorCallExpr>(plain) &&
                              llvm::isa_and_nonnull<clang::CXXMethodDecl>(plain->getDirectCallee());
    if (parameter == kThisParameter) return object_first ? plain->getArg(0) : nullptr;
    return at(*plain, object_first ? 1 : 0);
  }
  return nullptr;
}

const clang::Expr* subject_of(const clang::CallExpr& call) {
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call))
    return method->getImplicitObjectArgument();
  return call.getNumArgs() == 0 ? nullptr : call.getArg(0);
}

const clang::StringLiteral* find_literal(const clang::Expr* expr) {
  for (unsigned depth = 0; expr != nullptr && depth < 8; ++depth) {
    expr = strip(expr);
    if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(expr)) return literal;
    if (const auto* cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expr)) {
      expr = cast->getSubExpr();
      continue;
    }
    // `constexpr const char* kPlace = "cuda:1"`
    if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
      const auto* constant = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
      const bool kept = constant != nullptr && constant->getType().isConstQualified() &&
                        !constant->getType()->isReferenceType();
      expr = kept ? constant->getAnyInitializer() : nullptr;
      continue;
    }
    const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
    if (construct == nullptr || construct->getNumArgs() == 0) return nullptr;
    expr = construct->getArg(0);
  }
  return nullptr;
}

std::vector<std::pair<const clang::FieldDecl*, const clang::Expr*>> fields_made(
    const clang::InitListExpr& list) {
  const clang::InitListExpr* made = list.isSemanticForm() ? &list : list.getSemanticForm();
  if (made == nullptr || !has_type(*made)) return {};
  const clang::CXXRecordDecl* record = made->getType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->isUnion()) return {};
  std::vector<std::pair<const clang::FieldDecl*, const clang::Expr*>> fields;
  unsigned index = record->getNumBases();
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isUnnamedBitField()) continue;
    if (index >= made->getNumInits()) break;
    // Where it did not parse there may be none.
    if (const clang::Expr* init = made->getInit(index++)) fields.emplace_back(field, init);
  }
  return fields;
}

bool is_at(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee != nullptr && llvm::isa<clang::CXXMethodDecl>(callee) && call.getNumArgs() == 1 &&
         callee->getDeclName().isIdentifier() && callee->getName() == "at";
}

bool only_looks(const clang::ImplicitCastExpr& cast) {
  const bool by_reference =
      cast.getCastKind() == clang::CK_NoOp && cast.isGLValue() && cast.getType().isConstQualified();
  return cast.getCastKind() == clang::CK_LValueToRValue || by_reference;
}

bool is_mutable_reference(clang::QualType type) {
  return type->isLValueReferenceType() && !type->getPointeeType().isConstQualified();
}

}  // namespace xfer::analyzer
