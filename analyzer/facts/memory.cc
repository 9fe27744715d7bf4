// Memory that is followed by its pointers, in units that use the CUDA runtime: what points where,
// and where host code touches it. A pointer's value is the memory that it points into.

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// `p` of `p[i]`, `*p`, `p->x`, `p[i].x`, `v[i]`; null: it is none of these.
const clang::Expr* pointer_behind(const clang::Expr* expr) {
  expr = strip(expr);
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    // Of an array of arrays, the array.
    const clang::Expr* base = strip(subscript->getBase());
    const clang::Expr* outer = base->getType()->isArrayType() ? pointer_behind(base) : nullptr;
    return outer == nullptr ? base : outer;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return unary->getOpcode() == clang::UO_Deref ? unary->getSubExpr() : nullptr;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr))
    return member->isArrow() ? member->getBase() : pointer_behind(member->getBase());
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
  return call != nullptr && call->getOperator() == clang::OO_Subscript ? call->getArg(0) : nullptr;
}

bool is_local(const clang::DeclRefExpr& expr) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(expr.getDecl());
  return variable != nullptr && variable->hasLocalStorage();
}

}  // namespace

const clang::Expr* without_casts(const clang::Expr* expr) {
  expr = strip(expr);
  while (const auto* cast = llvm::dyn_cast_or_null<clang::ExplicitCastExpr>(expr))
    expr = strip(cast->getSubExpr());
  return expr;
}

void Reader::host_memory(const clang::Expr& at, Known what) {
  define(fact::Fresh{ValueType::of(Role::kMemory), what}, at);
}

/// The host reads or writes `expr`, which lies where `pointer` points.
void Reader::touch_memory(const clang::Expr& expr, const clang::Expr& pointer) {
  const ValueId value = value_of(&pointer);
  if (!value || pointers_.not_followed.contains(&expr)) return;
  fact::Access access;
  access.pointer = value;
  access.writes = !pointers_.only_read.contains(&expr);
  access.spot = spot(pointer.getSourceRange());
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(strip(&pointer)))
    if (const auto known = variables_.find(named->getDecl()); known != variables_.end())
      access.variable = known->second;
  emit(std::move(access), &expr);
}

/// A pointer is made of what the expression names, in a way that is not followed: it may point
/// there.
void Reader::lose_named(const clang::Expr& expr) {
  if (is_memory(expr)) lose(value_of(&expr), "a pointer was made of it", &expr);
  for (const clang::Stmt* child : expr.children())
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child)) lose_named(*part);
}

/// A vector's elements and its data are its memory.
bool Reader::read_owner_call(const clang::CallExpr& expr, const clang::Expr& owner) {
  const TypeInfo type = types_.of(owner.getType());
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(expr.getDirectCallee());
  if (type.role != Role::kMemory || type.handle || method == nullptr) return false;
  const FunctionModel* row = model_of(expr, types_);
  if (row != nullptr && row->hands_out == HandsOut::kMemory) {
    pass(expr, &owner);
  } else if (method->getOverloadedOperator() == clang::OO_Subscript ||
             (row != nullptr && row->kind == CallKind::kElement)) {
    touch_memory(expr, owner);
    if (expr.getType()->isRecordType())
      if (const ValueId value = value_of(&owner)) values_[&expr] = value;
  } else if (!method->isConst()) {
    touch_memory(expr, owner);
  }
  return true;
}

/// Expressions that are about memory and nothing else; false: it is none of these.
bool Reader::read_memory(const clang::Expr& expr) {
  if (const auto* launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(&expr)) {
    read_kernel_launch(*launch);
    return true;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expr);
      call != nullptr && call->getDirectCallee() != nullptr &&
      call->getDirectCallee()->getIdentifier() != nullptr &&
      call->getDirectCallee()->getName().ends_with("PushCallConfiguration"))
    return true;  // of a launch: what stands between the angles
  if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(expr)) {
    host_memory(expr, Known::kEmpty);
    return true;
  }
  if (llvm::isa<clang::CXXNewExpr>(expr) && is_memory(expr)) {
    host_memory(expr, Known::kHost);
    return true;
  }
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&expr);
      cast != nullptr && is_memory(expr)) {
    pass(expr, cast->getSubExpr());
    if (!value_of(&expr)) {
      lose_named(*cast->getSubExpr());
      fresh(expr, "a pointer made from something else");
    }
    return true;
  }
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&expr);
      cast != nullptr && expr.getType()->isIntegralType(context_) &&
      is_memory(*cast->getSubExpr())) {
    lose(value_of(cast->getSubExpr()), "its address was made a number", &expr);
    return true;
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expr);
      binary != nullptr && is_memory(expr)) {
    const bool left = is_memory(*binary->getLHS());
    if (binary->isAdditiveOp()) {
      if (const ValueId value = value_of(left ? binary->getLHS() : binary->getRHS()))
        values_[&expr] = value;
    } else if (binary->isCompoundAssignmentOp()) {
      pass(expr, binary->getLHS());
    }
    return binary->isAdditiveOp() || binary->isCompoundAssignmentOp();
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expr);
      call != nullptr && call->getNumArgs() > 0)
    return read_owner_call(*call, *call->getArg(0));
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr))
    return read_owner_call(*call, *call->getImplicitObjectArgument());
  const clang::Expr* pointer = nullptr;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expr)) {
    if (unary->isIncrementDecrementOp() && is_memory(expr)) {
      pass(expr, unary->getSubExpr());
      return true;
    }
    const clang::Expr* inner = strip(unary->getSubExpr());
    if (unary->getOpcode() == clang::UO_AddrOf && is_memory(expr)) {
      const TypeInfo target = types_.of(inner->getType());
      const bool variable = target.role == Role::kMemory && target.handle;
      const clang::Expr* behind = pointer_behind(inner);
      if (const ValueId value = value_of(behind == nullptr ? inner : behind);
          value && (behind != nullptr || !variable)) {
        values_[&expr] = value;
      } else if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(inner);
                 named != nullptr && is_local(*named)) {
        host_memory(expr, Known::kHostVariable);  // a global variable may be __managed__
      } else {
        lose_named(*inner);
        fresh(expr, "the address of a part of something");
      }
      return true;
    }
    if (unary->getOpcode() != clang::UO_Deref) return false;
    if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(inner))
      if (const auto* out = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
          out != nullptr && memory_.out_parameters.contains(out)) {
        const PlaceId where = place(variable(*out), {});
        expr_places_[&expr] = where;
        define(fact::Load{where}, expr);
        return true;
      }
    pointer = unary->getSubExpr();
  } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(&expr)) {
    pointer = subscript->getBase();
  } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&expr)) {
    if (member->isArrow() ? !is_memory(*member->getBase())
                          : !value_of(member->getBase()) || place_of(member->getBase()))
      return false;
    pointer = member->getBase();
    if (!member->isArrow() && types_.of(pointer->getType()).role != Role::kNone) return false;
  }
  if (pointer == nullptr || pointer_values_.count(strip(pointer)) != 0) return false;
  const ValueId value = value_of(pointer);
  const bool part =
      llvm::isa<clang::MemberExpr>(expr) && !llvm::cast<clang::MemberExpr>(expr).isArrow();
  if (!value || (!part && !is_memory(*pointer))) return false;
  if (!expr.getType()->isArrayType() && !part) touch_memory(expr, *pointer);
  const TypeInfo type = types_.of(expr.getType());
  if (type.role == Role::kMemory && type.handle)
    fresh(expr, "a pointer read from memory");
  else if (type.role == Role::kMemory ||
           (type.role == Role::kNone && expr.getType()->isRecordType()))
    values_[&expr] = value;  // what is a part of it is in that memory too
  else
    return type.role == Role::kNone;
  return true;
}

}  // namespace xfer::analyzer
