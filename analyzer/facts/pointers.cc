// Pointers into tensors' memory: where the host follows one, and where one is kept of a tensor that
// a transfer has just returned. A pointer's value is the tensor that it points into.

#include <clang/AST/DeclTemplate.h>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {

ValueId Reader::pointer_value(const clang::Expr* expr) {
  const clang::Expr* base = pointer_base(expr);
  const ValueId value = base == nullptr ? ValueId() : pointer_values_.lookup(base);
  return value || types_.of(expr->getType()).role != Role::kMemory ? value : value_of(expr);
}

void Reader::store_pointer(const clang::VarDecl& to, const clang::Expr& from) {
  const PlaceId place_id = place(variable(to), {});
  Variable& declared = facts_.variables[facts_.places[place_id].root];
  declared.pointer = true;
  declared.type.role = Role::kTensor;
  if (!declared.given && llvm::isa_and_nonnull<clang::CallExpr>(pointer_base(&from)))
    declared.given = spot(from.getSourceRange());
  store(place_id, pointer_value(&from), &from);
}

bool Reader::read_pointer_reference(const clang::DeclRefExpr& expr) {
  const auto* variable_decl = llvm::dyn_cast<clang::VarDecl>(expr.getDecl());
  if (variable_decl == nullptr || !pointers_.variables.contains(variable_decl)) return false;
  const PlaceId place_id = place(variable(*variable_decl), {});
  facts_.variables[facts_.places[place_id].root].pointer = true;
  facts_.variables[facts_.places[place_id].root].type.role = Role::kTensor;
  pointer_values_[&expr] = make(fact::Load{place_id}, &expr);
  return true;
}

void Reader::host_access(const clang::Expr& at, const clang::Expr& pointer, HostAccess how,
                         const clang::FunctionDecl* callee, bool writes) {
  const ValueId value = pointer_value(&pointer);
  if (!value) return;
  fact::Access access;
  access.pointer = value;
  access.how = how;
  access.writes = writes;
  access.spot = spot(pointer.getSourceRange());
  access.place = place_of(without_casts(&pointer));
  if (const clang::VarDecl* variable_decl = local_pointer(pointer_base(&pointer)))
    access.variable = variable(*variable_decl);
  if (callee != nullptr) access.function = callee->getNameAsString();
  emit(std::move(access), &at);
}

void Reader::read_dereference(const clang::Expr& expr, const clang::Expr& pointer) {
  if (!pointers_.not_followed.contains(&expr))
    host_access(expr, pointer, HostAccess::kFollowed, nullptr);
}

void Reader::read_host_arguments(const clang::Expr& expr, const clang::FunctionDecl* callee,
                                 llvm::ArrayRef<const clang::Expr*> arguments, unsigned written) {
  if (callee == nullptr || arguments.empty()) return;
  const FunctionModel* model = types_.model(*callee, written);
  if (model == nullptr) return;
  const bool host = model->requires_ == Requirement::kHost;
  const bool wraps = model->exposes && model->result == Placement::kArguments;
  if (!host && !wraps) return;
  for (const clang::Expr* const& argument : arguments) {
    if (!pointer_value(argument)) continue;
    if (wraps) {
      // A device that is given says that the memory is known to be there.
      for (const clang::Expr* other : arguments) {
        const Role role = types_.of(other->getType()).role;
        const bool given = role == Role::kOptions || role == Role::kDevice;
        if (given && !llvm::isa<clang::CXXDefaultArgExpr>(other)) return;
      }
    }
    const unsigned index = static_cast<unsigned>(&argument - arguments.begin());
    const bool constant =
        index < callee->getNumParams() && callee->getParamDecl(index)->getType()->isPointerType() &&
        callee->getParamDecl(index)->getType()->getPointeeType().isConstQualified();
    host_access(expr, *argument, wraps ? HostAccess::kWrapped : HostAccess::kCalled, callee,
                !constant);
    // The other pointers that it follows are of no interest once one of them is wrong.
    if (pointer_values_.count(pointer_base(argument)) != 0) return;
  }
}

/// The model that says what a call does to values; what only follows pointers says nothing of them.
const FunctionModel* Reader::flow_model(const clang::FunctionDecl& callee, unsigned written) {
  const FunctionModel* model = types_.model(callee, written);
  const bool other = model != nullptr &&
                     (model->requires_ == Requirement::kHost || model->kind == CallKind::kOpen);
  return other ? nullptr : model;
}

/// The owner of the memory that a pointer points to, where that cannot be pinned memory.
std::string Reader::pageable_owner(const clang::Expr& pointer) const {
  const clang::Expr* base = pointer_base(&pointer);
  if (const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(base);
      address != nullptr && address->getOpcode() == clang::UO_AddrOf)
    base = strip(address->getSubExpr());
  if (base == nullptr) return {};
  if (llvm::isa<clang::CXXNewExpr>(base)) return "from `new`";
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(base))
    return reference->getType()->isArrayType() ? "the array's" : "";
  const auto* call = llvm::dyn_cast<clang::CallExpr>(base);
  if (call == nullptr || call->getDirectCallee() == nullptr) return {};
  const FunctionModel* made = model_of(*call, types_);
  if (made != nullptr && made->kind == CallKind::kAllocate && made->result == Placement::kCpu &&
      !made->pins)
    return "from `" + call->getDirectCallee()->getNameAsString() + "`";
  const clang::Expr* owner = nullptr;
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
    owner = method->getImplicitObjectArgument();
  if (llvm::isa<clang::CXXOperatorCallExpr>(call)) owner = call->getArg(0);
  if (owner == nullptr || !types_.owns_memory(owner->getType())) return {};
  return "the " + owner->getType().getNonReferenceType()->getAsCXXRecordDecl()->getNameAsString() +
         "'s";
}

void Reader::read_pointer_call(const clang::CallExpr& expr, const Call& call,
                               const clang::Expr* receiver) {
  if (call.model == nullptr || receiver == nullptr || !call.receiver.value) return;
  const PointsInto into = call.model->points_into;
  if (into == PointsInto::kNone) return;
  if (into == PointsInto::kHostData) {
    fact::Access access;
    access.pointer = call.receiver.value;
    access.how = HostAccess::kAccessor;
    access.spot = call.receiver.spot;
    emit(std::move(access), &expr);
    return;
  }
  if (expr.getType()->isPointerType() && into == PointsInto::kData)
    pointer_values_[&expr] = call.receiver.value;
  if (!pointers_.kept.contains(&expr)) return;
  // The temporary that the pointer is taken from: views of it keep its data, not its sizes.
  const clang::Expr* at = strip(receiver);
  for (unsigned depth = 0; depth < 8; ++depth) {
    const auto* made = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(at);
    if (made == nullptr) return;
    const FunctionModel* model = model_of(*made, types_);
    if (model == nullptr) return;
    if (model->kind == CallKind::kTransfer) {
      const ValueId moved = value_of(made);
      if (!moved) return;
      emit(fact::KeepPointer{moved, spot(made->getSourceRange())}, &expr);
      return;
    }
    if (!model->view) return;
    at = strip(made->getImplicitObjectArgument());
  }
}

}  // namespace xfer::analyzer
