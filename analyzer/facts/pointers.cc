// Pointers into tensors' memory: which local variables hold one, where the host follows one, and
// where one is kept of a tensor that a transfer has just returned. A pointer's value is the tensor
// that it points into.

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/StringSet.h>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// What a pointer expression is made from: casts, arithmetic and `&p[i]` do not change whose memory
/// it is.
const clang::Expr* pointer_base(const clang::Expr* expr) {
  for (;;) {
    expr = strip(expr);
    if (expr == nullptr) return nullptr;
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expr)) {
      expr = cast->getSubExpr();
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
      if (!binary->isAdditiveOp() && !binary->isAssignmentOp()) return expr;
      const bool left = binary->getLHS()->getType()->isPointerType();
      expr = left ? binary->getLHS() : binary->getRHS();
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

bool is_named(const clang::FunctionDecl* callee, const llvm::StringSet<>& names) {
  return callee != nullptr && callee->isInStdNamespace() && callee->getIdentifier() != nullptr &&
         names.contains(callee->getName());
}

/// An algorithm of the standard library that changes nothing in the ranges that it is given, and
/// hands out nothing of them.
bool only_reads_ranges(const clang::FunctionDecl* callee) {
  static const llvm::StringSet<> names = {
      "accumulate", "all_of",   "any_of",          "binary_search", "count",
      "count_if",   "distance", "equal",           "inner_product", "is_sorted",
      "none_of",    "reduce",   "transform_reduce"};
  return is_named(callee, names);
}

/// One that returns where in them it is.
bool finds_in_ranges(const clang::FunctionDecl* callee) {
  static const llvm::StringSet<> names = {"find",        "find_if",     "lower_bound",
                                          "max_element", "min_element", "upper_bound"};
  return is_named(callee, names);
}

class PointerVisitor : public clang::DynamicRecursiveASTVisitor {
 public:
  PointerVisitor(PointerScan& scan, const ModelSet& models, Types& types)
      : scan_(scan), models_(models), types_(types) {}

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr) given(variable, variable->getInit(), variable->getType());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    if (expr->getOpcode() == clang::BO_Assign && expr->getLHS()->getType()->isPointerType())
      given(local_pointer(strip(expr->getLHS())), expr->getRHS(), expr->getLHS()->getType());
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* leave) override {
    if (leave->getRetValue() != nullptr)
      given(nullptr, leave->getRetValue(), leave->getRetValue()->getType());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* expr) override {
    if (expr->getOpcode() != clang::UO_AddrOf) return true;
    const clang::Expr* inner = strip(expr->getSubExpr());
    scan_.not_followed.insert(inner);
    if (const clang::VarDecl* variable = local_pointer(inner)) scan_.shared.insert(variable);
    return true;
  }
  /// `for (float v : list)`
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    const clang::VarDecl* element = loop->getLoopVariable();
    if (element == nullptr || is_mutable_reference(element->getType())) return true;
    for (const clang::DeclStmt* statement : {loop->getBeginStmt(), loop->getEndStmt()})
      if (const auto* range = statement == nullptr
                                  ? nullptr
                                  : llvm::dyn_cast<clang::VarDecl>(statement->getSingleDecl());
          range != nullptr && range->getInit() != nullptr)
        scan_.only_read.insert(strip(range->getInit()));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* expr) override {
    const clang::FunctionDecl* callee = expr->getDirectCallee();
    if (only_reads_ranges(callee)) note_read(*expr);
    if (callee == nullptr || llvm::isa<clang::CXXOperatorCallExpr>(expr)) return true;
    for (unsigned index = 0; index < expr->getNumArgs() && index < callee->getNumParams();
         ++index) {
      const clang::QualType type = callee->getParamDecl(index)->getType();
      if (!type->isLValueReferenceType() || type->getPointeeType().isConstQualified()) continue;
      if (const clang::VarDecl* variable = local_pointer(strip(expr->getArg(index))))
        scan_.shared.insert(variable);
    }
    return true;
  }
  /// `p[i].x` as a value.
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (!only_looks(*cast)) return true;
    // `*std::max_element(begin, end)` as a value.
    if (const auto* found =
            llvm::dyn_cast_or_null<clang::CallExpr>(pointed_to(*cast->getSubExpr()));
        found != nullptr && finds_in_ranges(found->getDirectCallee()))
      note_read(*found);
    for (const clang::Expr* at = strip(cast->getSubExpr()); at != nullptr;) {
      scan_.only_read.insert(at);
      const auto* member = llvm::dyn_cast<clang::MemberExpr>(at);
      at = member == nullptr || member->isArrow() ? nullptr : strip(member->getBase());
    }
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
        scan_.shared.insert(llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()));
    return true;
  }

  void finish() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [to, from] : copies_)
        if (scan_.variables.contains(from)) changed |= scan_.variables.insert(to).second;
    }
    for (const clang::VarDecl* variable : scan_.shared) scan_.variables.erase(variable);
  }

 private:
  void note_read(const clang::CallExpr& call) {
    for (const clang::Expr* argument : call.arguments()) scan_.only_read.insert(strip(argument));
  }
  /// `p` of `*p`; null: it is no such expression.
  static const clang::Expr* pointed_to(const clang::Expr& expr) {
    const clang::Expr* bare = strip(&expr);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare);
        unary != nullptr && unary->getOpcode() == clang::UO_Deref)
      return strip(unary->getSubExpr());
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(bare);
    return call != nullptr && call->getOperator() == clang::OO_Star ? strip(call->getArg(0))
                                                                    : nullptr;
  }
  void given(const clang::VarDecl* to, const clang::Expr* from, clang::QualType type) {
    const clang::Expr* base = pointer_base(from);
    if (const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(base)) {
      const FunctionModel* model = model_of(*call, types_);
      if (model == nullptr || model->points_into == PointsInto::kNone) return;
      const bool pointer = base->getType()->isPointerType() && type->isPointerType();
      const bool shape = model->points_into == PointsInto::kShape &&
                         type.getCanonicalType().getUnqualifiedType() ==
                             base->getType().getCanonicalType().getUnqualifiedType();
      if (pointer || shape) scan_.kept.insert(call);
      if (pointer && to != nullptr && to->isLocalVarDecl() && !to->isStaticLocal())
        scan_.variables.insert(to);
    } else if (const clang::VarDecl* other = local_pointer(base);
               other != nullptr && to != nullptr) {
      if (to->isLocalVarDecl() && !to->isStaticLocal() && to->getType()->isPointerType())
        copies_.emplace_back(to, other);
    }
  }

  PointerScan& scan_;
  const ModelSet& models_;
  Types& types_;
  std::vector<std::pair<const clang::VarDecl*, const clang::VarDecl*>> copies_;
};

}  // namespace

const clang::VarDecl* local_pointer(const clang::Expr* expr) {
  const auto* reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(expr);
  const auto* variable =
      reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  const bool local = variable != nullptr && variable->isLocalVarDecl() &&
                     !variable->isStaticLocal() && variable->getType()->isPointerType();
  return local ? variable : nullptr;
}

PointerScan scan_pointers(const clang::Stmt& body, const ModelSet& models, Types& types) {
  PointerScan scan;
  PointerVisitor visitor(scan, models, types);
  visitor.TraverseStmt(const_cast<clang::Stmt*>(&body));
  visitor.finish();
  return scan;
}

ValueId Reader::pointer_value(const clang::Expr* expr) {
  const clang::Expr* base = pointer_base(expr);
  const ValueId value = base == nullptr ? ValueId() : pointer_values_.lookup(base);
  return value || types_.of(expr->getType()).role != Role::kMemory ? value : value_of(expr);
}

void Reader::store_pointer(const clang::VarDecl& to, const clang::Expr& from) {
  const PlaceId where = place(variable(to), {});
  Variable& declared = facts_.variables[facts_.places[where].root];
  declared.pointer = true;
  declared.type.role = Role::kTensor;
  if (!declared.given && llvm::isa_and_nonnull<clang::CallExpr>(pointer_base(&from)))
    declared.given = spot(from.getSourceRange());
  store(where, pointer_value(&from), &from);
}

bool Reader::read_pointer_reference(const clang::DeclRefExpr& expr) {
  const auto* variable_decl = llvm::dyn_cast<clang::VarDecl>(expr.getDecl());
  if (variable_decl == nullptr || !pointers_.variables.contains(variable_decl)) return false;
  const PlaceId where = place(variable(*variable_decl), {});
  facts_.variables[facts_.places[where].root].pointer = true;
  facts_.variables[facts_.places[where].root].type.role = Role::kTensor;
  pointer_values_[&expr] = make(fact::Load{where}, &expr);
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
    // What else it follows is of no interest once one of them is wrong.
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

/// What owns the memory that a pointer points to, where that cannot be pinned memory.
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
