#include "analyzer/facts/stream_name.h"

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// `s` of `&s`; else the expression itself.
const clang::Expr* behind_address(const clang::Expr* expr) {
  const clang::Expr* addressed = addressed_by(expr);
  return without_casts(addressed == nullptr ? expr : addressed);
}

const clang::CXXOperatorCallExpr* as_subscript(const clang::Expr* expr) {
  const auto* call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(expr);
  return call != nullptr && call->getOperator() == clang::OO_Subscript ? call : nullptr;
}

/// `s[i]`, for `s`.
const clang::Expr* subscripted(const clang::Expr* expr) {
  if (const auto* subscript = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(expr))
    return without_casts(subscript->getBase());
  const auto* call = as_subscript(expr);
  return call == nullptr ? nullptr : without_casts(call->getArg(0));
}

const clang::Expr* index_in(const clang::Expr* expr) {
  if (const auto* subscript = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(expr))
    return subscript->getIdx();
  const auto* call = as_subscript(expr);
  return call == nullptr ? nullptr : call->getArg(1);
}

/// The object of which a handle is a field.
void name_object(StreamName& name, const clang::Expr* object) {
  object = behind_address(object);
  if (llvm::isa_and_nonnull<clang::CXXThisExpr>(object)) {
    name.own = true;
  } else if (const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(object)) {
    if (!member->getType()->isPointerType() &&
        !member->getMemberDecl()->getType()->isReferenceType())
      name.object = member->getMemberDecl();
  } else if (const clang::VarDecl* variable = variable_named(object)) {
    name.object = variable;
  }
}

/// An object that is a name's own, and no other name's.
bool is_whole_object(const clang::ValueDecl* object) {
  const clang::QualType type = object->getType();
  return !llvm::isa<clang::ParmVarDecl>(object) && type->isRecordType();
}

/// No code makes a second object with the handles of a first one.
bool is_unique(const clang::ValueDecl& field) {
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(field.getDeclContext());
  if (record == nullptr) return false;
  if (record->hasUserDeclaredDestructor()) return true;
  return llvm::any_of(record->ctors(), [](const clang::CXXConstructorDecl* made) {
    return made->isCopyConstructor() &&
           (made->isDeleted() || made->getAccess() == clang::AS_private);
  });
}

}  // namespace

bool is_stream_handle(clang::QualType type) {
  return type->isPointerType() && type->getPointeeType()->isRecordType();
}

const clang::ValueDecl* handle_behind(const clang::Expr* expr) {
  expr = behind_address(expr);
  if (const clang::Expr* array = subscripted(expr)) expr = array;
  if (const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(expr)) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    return field == nullptr || field->getType()->isReferenceType() ? nullptr : field;
  }
  const clang::VarDecl* variable = variable_named(expr);
  return variable != nullptr && !variable->isExternallyVisible() &&
                 !variable->getType()->isReferenceType()
             ? variable
             : nullptr;
}

StreamName stream_name(const clang::Expr* argument, clang::ASTContext& context) {
  const clang::Expr* bare = without_casts(as_given(argument));
  StreamName name;
  if (bare == nullptr) return name;
  if (is_null_pointer(*bare, context)) {
    name.is_default = true;
    return name;
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(bare)) {
    name.handle = returned_field(call->getMethodDecl());
    if (name.known()) name_object(name, call->getImplicitObjectArgument());
    return name;
  }
  bare = behind_address(bare);
  name.handle = handle_behind(bare);
  const clang::Expr* array = subscripted(bare);
  if (const auto* member =
          llvm::dyn_cast_or_null<clang::MemberExpr>(array == nullptr ? bare : array))
    name_object(name, member->getBase());
  clang::Expr::EvalResult value;
  const clang::Expr* index = index_in(bare);
  if (index != nullptr && !index->isValueDependent() && index->EvaluateAsInt(value, context))
    name.index = value.Val.getInt().getExtValue();
  return name;
}

StreamName name_at_call(StreamName name, const clang::FunctionDecl& callee, const clang::Expr& call,
                        clang::ASTContext& context) {
  const auto given_for = [&](const clang::ValueDecl* decl) -> const clang::Expr* {
    const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(decl);
    return parameter == nullptr ? nullptr : argument_of(call, parameter->getFunctionScopeIndex());
  };
  if (llvm::isa_and_nonnull<clang::ParmVarDecl>(name.handle)) {
    const clang::Expr* given = given_for(name.handle);
    return given == nullptr || name.index ? StreamName{} : stream_name(given, context);
  }
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  // The object that a lambda captured is that of the function around it.
  const bool lambda = method != nullptr && method->getParent()->isLambda();
  if (name.own && !lambda) {
    name.own = false;
    name_object(name, argument_of(call, kThisParameter));
  } else if (llvm::isa_and_nonnull<clang::ParmVarDecl>(name.object)) {
    const clang::Expr* given = given_for(name.object);
    name.object = nullptr;
    name_object(name, given);
  }
  return name;
}

bool may_be_one(const StreamName& a, const StreamName& b) {
  if (!a.known() || !b.known()) return true;
  if (a.handle != b.handle) return false;
  if (a.index && b.index && *a.index != *b.index) return false;
  if (!llvm::isa<clang::FieldDecl>(a.handle) || !is_unique(*a.handle)) return true;
  if (a.own && b.own) return true;
  const auto is_known = [](const StreamName& name) {
    return name.own || (name.object != nullptr && is_whole_object(name.object));
  };
  return !is_known(a) || !is_known(b) || a.object == b.object;
}

}  // namespace xfer::analyzer
