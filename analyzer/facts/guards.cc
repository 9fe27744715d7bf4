#include "analyzer/facts/guards.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// Looks at the types of all that a function declares and computes.
class GuardSearch : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit GuardSearch(Types& types) : types_(types) {}

  bool TraverseVarDecl(clang::VarDecl* variable) override {
    if (!guards_scope(*variable, GuardEffect::kCurrentDevice, types_))
      return clang::DynamicRecursiveASTVisitor::TraverseVarDecl(variable);
    uses.current_device = true;
    const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(strip(variable->getInit()));
    if (made == nullptr) {
      uses.unfollowed |= variable->getInit() != nullptr;
      return true;
    }
    for (const clang::Expr* argument : made->arguments())
      TraverseStmt(const_cast<clang::Expr*>(argument));
    return true;
  }
  bool TraverseCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    // Const methods of a guard, and calls that the flow follows, do not hand the guard on.
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    const auto* named =
        llvm::dyn_cast<clang::DeclRefExpr>(strip(call->getImplicitObjectArgument()));
    const bool on_guard =
        named != nullptr && types_.guard(named->getType()) == GuardEffect::kCurrentDevice;
    if (!on_guard || method == nullptr || !(method->isConst() || sets_device(*call)))
      return clang::DynamicRecursiveASTVisitor::TraverseCXXMemberCallExpr(call);
    for (clang::Expr* argument : call->arguments()) TraverseStmt(argument);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    uses.current_device |= sets_device(*call);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    look(variable->getType(), 0);
    return true;
  }
  bool VisitExpr(clang::Expr* expr) override {
    look(expr->getType(), 0);
    return true;
  }

  GuardUses uses;

 private:
  bool sets_device(const clang::CallExpr& call) {
    const FunctionModel* row = model_of(call, types_);
    return row != nullptr && row->kind == CallKind::kSetDevice;
  }
  /// A guard, or a pointer, a wrapper or a list of one.
  void look(clang::QualType type, unsigned depth) {
    if (type.isNull() || depth > 2) return;
    type = type.getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr || (depth == 0 && !seen_.insert(record).second)) return;
    const GuardEffect effect = types_.guard(type);
    uses.default_place |= effect == GuardEffect::kDefaultPlace;
    if (effect == GuardEffect::kCurrentDevice) uses.current_device = uses.unfollowed = true;
    if (const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record))
      for (const clang::TemplateArgument& argument : made->getTemplateArgs().asArray())
        if (argument.getKind() == clang::TemplateArgument::Type)
          look(argument.getAsType(), depth + 1);
  }

  Types& types_;
  llvm::DenseSet<const clang::CXXRecordDecl*> seen_;
};

}  // namespace

bool guards_scope(const clang::VarDecl& variable, GuardEffect effect, Types& types) {
  return variable.isLocalVarDecl() && !variable.isStaticLocal() &&
         !variable.getType()->isReferenceType() && types.guard(variable.getType()) == effect;
}

GuardUses find_guards(const clang::FunctionDecl& function, Types& types) {
  GuardSearch search(types);
  search.TraverseDecl(const_cast<clang::FunctionDecl*>(&function));
  return search.uses;
}

}  // namespace xfer::analyzer
