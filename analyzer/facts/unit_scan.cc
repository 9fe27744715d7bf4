#include "analyzer/facts/unit_scan.h"

#include <llvm/ADT/DenseSet.h>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/module_moves.h"
#include "analyzer/facts/references.h"
#include "analyzer/facts/unit_walk.h"
#include "analyzer/facts/written_devices.h"

namespace xfer::analyzer {
namespace {

using clang::FieldDecl;

/// A field, or a variable that outlives calls, by its first declaration; else null.
const clang::ValueDecl* lasting(const clang::ValueDecl& decl) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl);
  const bool lasts =
      variable == nullptr ? llvm::isa<FieldDecl>(decl) : variable->hasGlobalStorage();
  return lasts ? llvm::cast<clang::ValueDecl>(decl.getCanonicalDecl()) : nullptr;
}

/// The field, or the variable that outlives calls, that an lvalue is, or is reached through: `f`,
/// `f[i]`, `*f`, `f->g`, `f.get()`, a copy of it.
const clang::ValueDecl* field_behind(const clang::Expr* expr, Types& types) {
  while ((expr = strip(expr)) != nullptr) {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr))
      return lasting(*member->getMemberDecl());
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr))
      return lasting(*reference->getDecl());
    if (const auto* copy = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) {
      if (!copy->getConstructor()->isCopyOrMoveConstructor()) return nullptr;
      expr = copy->getArg(0);
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
      expr = subscript->getBase();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
      expr = unary->getSubExpr();
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr)) {
      const bool reaches = call->getOperator() == clang::OO_Arrow ||
                           call->getOperator() == clang::OO_Star ||
                           call->getOperator() == clang::OO_Subscript;
      if (!reaches || call->getNumArgs() == 0) return nullptr;
      expr = call->getArg(0);
    } else if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr)) {
      if (const FieldDecl* field = field_named_by(method->getMethodDecl(), types))
        return lasting(*field);
      expr = method->getImplicitObjectArgument();
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

/// An lvalue is the whole of a variable or field, and no part of it.
bool is_whole(const clang::Expr* lvalue, Types& types) {
  const clang::Expr* bare = strip(lvalue);
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(bare);
  return method != nullptr ? field_named_by(method->getMethodDecl(), types) != nullptr
                           : llvm::isa_and_nonnull<clang::MemberExpr, clang::DeclRefExpr>(bare);
}

/// The flow knows it by a name: a variable, or a field of one, of an object behind it.
bool is_place(const clang::Expr* lvalue) {
  for (lvalue = strip(lvalue); lvalue != nullptr;) {
    if (llvm::isa<clang::DeclRefExpr, clang::CXXThisExpr>(lvalue)) return true;
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(lvalue);
    if (member == nullptr) return false;
    lvalue = strip(member->getBase());
  }
  return false;
}

class Scanner : public UnitWalk {
 public:
  Scanner(clang::ASTContext& context, const ModelSet& models, Types& types, UnitScan::Found& found)
      : UnitWalk(context), models_(models), types_(types), found_(found) {}

  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    ++lambdas_;
    const bool on = UnitWalk::TraverseLambdaExpr(lambda);
    --lambdas_;
    return on;
  }
  bool TraverseConstructorInitializer(clang::CXXCtorInitializer* initializer) override {
    if (initializer->isAnyMemberInitializer() && initializer->isWritten()) {
      note(*initializer->getAnyMember(), initializer->getInit());
      found_.changes[initializer->getAnyMember()->getCanonicalDecl()].constructed = true;
    }
    return UnitWalk::TraverseConstructorInitializer(initializer);
  }
  bool VisitFieldDecl(FieldDecl* field) override {
    if (field->hasInClassInitializer()) note(*field, field->getInClassInitializer());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr) {
      note(*variable, variable->getInit());
      // The flow knows that it is the same module.
      if (const auto* copy = module_copied(*variable->getInit(), types_);
          copy != nullptr && !variable->isInitCapture()) {
        changed(copy->getArg(0), true);
        followed_.insert(copy);
      }
      const clang::QualType type = variable->getType();
      if (is_mutable_reference(type) && !only_read(*variable, function_, types_)) {
        replaced(variable->getInit());
        if (!is_whole(variable->getInit(), types_)) out_of_sight(variable->getInit());
      }
    }
    return true;
  }
  bool VisitInitListExpr(clang::InitListExpr* list) override {
    // The walk visits the list as people wrote it; copies are in the form that the compiler makes.
    const clang::InitListExpr* made = list->isSemanticForm() ? list : list->getSemanticForm();
    if (made == nullptr || made->getType().isNull()) return true;
    for (const clang::Expr* init : made->inits())
      if (init != nullptr)
        if (const auto* copy = module_copied(*init, types_)) changed(copy->getArg(0));
    if (types_.of(made->getType()).role != Role::kRecord) return true;
    for (const auto& [field, init] : fields_made(*list))
      if (!llvm::isa<clang::CXXDefaultInitExpr>(init)) note(*field, init);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    if (!expr->isAssignmentOp()) return true;
    assigned(expr->getLHS(), expr->getRHS());
    // `m[i].data = p`
    if (is_whole(expr->getLHS(), types_) && points_to_memory(expr->getLHS()) &&
        !is_place(expr->getLHS()))
      out_of_sight(expr->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* expr) override {
    if (expr->getOpcode() != clang::UO_AddrOf) return true;
    if (points_to_memory(expr->getSubExpr())) {
      // `&p[i]` is no address of `p`, and calls tell what they leave in `p` by `&p`.
      if (!is_whole(expr->getSubExpr(), types_)) return true;
      replaced(expr->getSubExpr());
      if (!given_.contains(expr) || !is_place(expr->getSubExpr())) out_of_sight(expr->getSubExpr());
      return true;
    }
    // `&p[i]` of an array of pointers: calls tell what they put there.
    if (given_.contains(expr) && is_pointer_in_list(expr->getSubExpr())) {
      changed(expr->getSubExpr());
      return true;
    }
    replaced(expr->getSubExpr());
    out_of_sight(expr->getSubExpr());
    return true;
  }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    const clang::QualType type =
        loop->getLoopVariable() == nullptr ? clang::QualType() : loop->getLoopVariable()->getType();
    const bool constant =
        type.isNull() || (type->isReferenceType() && type->getPointeeType().isConstQualified());
    if (constant || types_.of(type).role == Role::kNone) return true;
    if (types_.of(type).role != Role::kModule &&
        only_read(*loop->getLoopVariable(), function_, types_))
      return true;
    changed(loop->getRangeInit());
    // A list that a call returns, `net->parameters()`, is no field's own.
    if (loop->getRangeInit()->isLValue()) out_of_sight(loop->getRangeInit());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* named) override {
    // `&Agent::net`, by which anybody may get at the field.
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(named->getDecl());
    if (const FieldDecl* field = field_named_by(method, types_))
      found_.changes[lasting(*field)].unseen = true;
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* leave) override {
    // A caller that is handed a module, or a reference, may move it.
    const clang::QualType type =
        function_ == nullptr ? clang::QualType() : function_->getReturnType();
    if (type.isNull() || leave->getRetValue() == nullptr) return true;
    if (!is_mutable_reference(type) && types_.of(type).role != Role::kModule) return true;
    changed(leave->getRetValue());
    // A call of such a method is read as the field.
    const FieldDecl* named = lambdas_ == 0 ? field_named_by(function_, types_) : nullptr;
    if (named != nullptr)
      found_.changes[lasting(*named)].handed_out = true;
    else
      out_of_sight(leave->getRetValue());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* expr) override {
    // Another holder may move it.
    if (module_copied(*expr, types_) != nullptr && !followed_.contains(expr))
      changed(expr->getArg(0));
    if (expr->getConstructor()->isCopyOrMoveConstructor()) return true;
    arguments(expr->getConstructor(), llvm::ArrayRef(expr->getArgs(), expr->getNumArgs()));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* expr) override {
    const clang::FunctionDecl* callee = expr->getDirectCallee();
    llvm::ArrayRef<clang::Expr*> given(expr->getArgs(), expr->getNumArgs());
    if (llvm::isa<clang::CXXOperatorCallExpr>(expr) && !given.empty()) {
      const auto* call = llvm::cast<clang::CXXOperatorCallExpr>(expr);
      if (call->isAssignmentOp() && given.size() == 2) assigned(given[0], given[1]);
      if (llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee)) given = given.drop_front();
    }
    if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr)) receiver(*method);
    arguments(callee, given);
    return true;
  }

 private:
  void note(const clang::ValueDecl& to, const clang::Expr* from) {
    if (types_.of(to.getType()).role != Role::kDevice) return;
    UnitScan::Given& given = found_.devices[canonical(to)];
    const std::optional<Device> device = written_device(from, context_, types_);
    (device && device->is_cpu() ? given.cpu : given.other) = true;
  }
  static const clang::ValueDecl* canonical(const clang::ValueDecl& decl) {
    return llvm::cast<clang::ValueDecl>(decl.getCanonicalDecl());
  }
  void assigned(const clang::Expr* to, const clang::Expr* from) {
    const clang::Expr* target = strip(to);
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(target))
      note(*reference->getDecl(), from);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(target))
      note(*member->getMemberDecl(), from);
    if (types_.of(to->getType()).role == Role::kModule) changed(from);
    replaced(to, true);
  }
  void receiver(const clang::CXXMemberCallExpr& call) {
    const clang::CXXMethodDecl* method = call.getMethodDecl();
    const clang::Expr* object = call.getImplicitObjectArgument();
    if (method == nullptr || object == nullptr) return;
    const Role role = types_.of(object->getType()).role;
    if (role == Role::kModule) {
      if (types_.in_library(*method)) {
        const FunctionModel* model =
            models_.find(types_.qualified_name(*method), call.getNumArgs());
        if (model != nullptr && model->kind == CallKind::kMove) changed(object, true);
      } else if (may_move(method)) {
        changed(object);
      }
    } else if (role != Role::kTensor && !method->isConst() && !method->isOverloadedOperator()) {
      changed(object);
    }
  }
  /// A value that was computed from a tensor: `x_.size(0)`, `x_[i] + 1`. Code that gets it has no
  /// hold of `x_`.
  bool is_result(const clang::Expr* given) {
    const clang::Expr* inner = strip(given);
    return inner != nullptr && inner->isPRValue() &&
           types_.of(inner->getType()).role != Role::kModule;
  }
  /// Data that code reaches through a pointer to memory is no part of the pointer.
  bool points_to_memory(const clang::Expr* expr) {
    const clang::ValueDecl* field = field_behind(expr, types_);
    return field != nullptr && types_.of(field->getType()).role == Role::kMemory &&
           field->getType()->isPointerType();
  }
  bool is_pointer_in_list(const clang::Expr* expr) {
    const clang::ValueDecl* field = field_behind(expr, types_);
    return field != nullptr && !is_whole(expr, types_) && expr->getType()->isPointerType() &&
           types_.of(expr->getType()).role == Role::kMemory &&
           is_list(types_.of(field->getType()).role);
  }
  void arguments(const clang::FunctionDecl* callee, llvm::ArrayRef<clang::Expr*> given) {
    for (unsigned index = 0; index < given.size(); ++index) {
      if (const auto* address =
              llvm::dyn_cast_or_null<clang::UnaryOperator>(without_casts(given[index])))
        given_.insert(address);
      // A callee that is given the value of a pointer does not change the pointer.
      const bool by_value = callee == nullptr || index >= callee->getNumParams() ||
                            !callee->getParamDecl(index)->getType()->isReferenceType();
      if (by_value && points_to_memory(given[index])) continue;
      const clang::ValueDecl* field = field_behind(given[index], types_);
      if (field == nullptr || is_result(given[index])) continue;
      if (callee == nullptr || index >= callee->getNumParams()) {
        changed(given[index]);
        out_of_sight(given[index]);
        continue;
      }
      const clang::QualType type = callee->getParamDecl(index)->getType();
      const bool reference = type->isReferenceType() && !type->getPointeeType().isConstQualified();
      const bool library = types_.in_library(*callee) || callee->isInStdNamespace();
      if (reference && !(library && type->isRValueReferenceType())) replaced(given[index], library);
      if (types_.of(type).role != Role::kModule) continue;
      if (const auto* copy = module_copied(*given[index], types_)) followed_.insert(copy);
      if (library ? keeps_module(*callee, given.size(), types_) : may_move(callee))
        changed(given[index]);
    }
    if (callee != nullptr && callee->isInStdNamespace() && callee->getDeclName().isIdentifier() &&
        callee->getName() == "move" && given.size() == 1)
      replaced(given[0]);
  }
  bool may_move(const clang::FunctionDecl* callee) {
    const clang::FunctionDecl* body = nullptr;
    if (!callee->hasBody(body))
      return !callee->getDeclName().isIdentifier() || !models_.is_forward(callee->getName());
    const auto [entry, added] = moves_.try_emplace(body, false);
    return added ? (moves_[body] = moves_or_keeps_module(*body, types_)) : entry->second;
  }
  /// `followed`: the state at the end of the function tells where the field is then.
  void changed(const clang::Expr* lvalue, bool followed = false) {
    const clang::ValueDecl* field = field_behind(lvalue, types_);
    if (field == nullptr) return;
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function_);
    const auto* owner = llvm::dyn_cast<clang::CXXRecordDecl>(field->getDeclContext());
    const bool own = method != nullptr && owner != nullptr && llvm::isa<FieldDecl>(field) &&
                     through_this(lvalue) &&
                     method->getParent()->getCanonicalDecl() == owner->getCanonicalDecl();
    UnitScan::Changes& changes = found_.changes[field];
    if (own && llvm::isa<clang::CXXConstructorDecl>(method))
      changes.constructed = true;
    else if (own && followed && lambdas_ == 0)
      changes.methods.insert(method);
    else
      changes.otherwise = true;
  }
  /// ... and may be given another value.
  void replaced(const clang::Expr* lvalue, bool followed = false) {
    changed(lvalue, followed);
    const clang::ValueDecl* field =
        is_whole(lvalue, types_) ? field_behind(lvalue, types_) : nullptr;
    if (field != nullptr && !llvm::isa_and_nonnull<clang::CXXConstructorDecl>(function_))
      found_.changes[field].replaced = true;
  }
  /// The facts do not tell of what happens to it.
  void out_of_sight(const clang::Expr* lvalue) {
    if (const clang::ValueDecl* field = field_behind(lvalue, types_))
      found_.changes[field].unseen = true;
  }
  static bool through_this(const clang::Expr* lvalue) {
    const clang::Expr* at = strip(lvalue);
    while (at != nullptr && !llvm::isa<clang::CXXThisExpr>(at)) {
      const clang::Expr* next = nullptr;
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at))
        next = member->getBase();
      else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at))
        next = call->getArg(0);
      else if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(at))
        next = method->getImplicitObjectArgument();
      else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at))
        next = unary->getSubExpr();
      at = strip(next);
    }
    return at != nullptr;
  }

  const ModelSet& models_;
  Types& types_;
  UnitScan::Found& found_;
  llvm::DenseSet<const clang::UnaryOperator*> given_;  ///< addresses, to calls
  unsigned lambdas_ = 0;                               ///< around what is visited
  llvm::DenseMap<const clang::FunctionDecl*, bool> moves_;
  llvm::DenseSet<const clang::CXXConstructExpr*> followed_;  ///< copies of modules
};

}  // namespace

const UnitScan::Found& UnitScan::found() {
  if (!found_) {
    found_.emplace();
    Scanner(context_, models_, types_, *found_).walk();
  }
  return *found_;
}

bool UnitScan::may_be_cuda(const clang::ValueDecl& device) {
  const auto& devices = found().devices;
  const auto given = devices.find(llvm::cast<clang::ValueDecl>(device.getCanonicalDecl()));
  return given == devices.end() || given->second.other;
}

bool UnitScan::settled(const clang::FieldDecl& field) {
  const Changes known = changes(field);
  return known.methods.empty() && !known.otherwise;
}

UnitScan::Changes UnitScan::changes(const clang::ValueDecl& field) {
  Changes known = found().changes.lookup(llvm::cast<clang::ValueDecl>(field.getCanonicalDecl()));
  const bool unreadable = unreadable_.names(field.getName());
  known.otherwise |= unreadable;
  known.unseen |= unreadable;
  known.replaced |= unreadable;
  return known;
}

}  // namespace xfer::analyzer
