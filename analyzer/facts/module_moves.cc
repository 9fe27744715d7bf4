#include "analyzer/facts/module_moves.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// Does a body move some module, make another holder of one, or call a method of a team's module
/// that does?
class MovesModule : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit MovesModule(Types& types) : types_(types) {}
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* expr) override {
    const clang::CXXMethodDecl* method = expr->getMethodDecl();
    if (method == nullptr ||
        types_.of(expr->getImplicitObjectArgument()->getType()).role != Role::kModule)
      return true;
    found |= says_so(*method, expr->getNumArgs());
    const clang::FunctionDecl* body = nullptr;
    if (!found && !types_.in_library(*method) && method->hasBody(body) && seen_.insert(body).second)
      TraverseStmt(body->getBody());
    return !found;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* expr) override {
    return !(found |= module_copied(*expr, types_) != nullptr);
  }
  bool VisitCallExpr(clang::CallExpr* expr) override {
    const clang::FunctionDecl* callee = expr->getDirectCallee();
    const auto* assigned = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
    const bool keeps = (assigned != nullptr && assigned->isAssignmentOp()) ||
                       (callee != nullptr && keeps_module(*callee, expr->getNumArgs(), types_));
    if (keeps)
      for (const clang::Expr* given : expr->arguments())
        found |= types_.of(given->getType()).role == Role::kModule;
    return !found;
  }
  bool found = false;

 private:
  /// The row of the method, or of one that it overrides.
  bool says_so(const clang::CXXMethodDecl& method, unsigned args) {
    const FunctionModel* row = types_.model(method, args);
    if (row != nullptr) return row->kind == CallKind::kMove || row->reseats;
    return llvm::any_of(method.overridden_methods(), [&](const clang::CXXMethodDecl* overridden) {
      return says_so(*overridden, args);
    });
  }

  Types& types_;
  llvm::DenseSet<const clang::FunctionDecl*> seen_;
};

}  // namespace

bool moves_module(const clang::CXXMemberCallExpr& call, Types& types) {
  MovesModule moves(types);
  moves.VisitCXXMemberCallExpr(const_cast<clang::CXXMemberCallExpr*>(&call));
  return moves.found;
}

bool moves_or_keeps_module(const clang::FunctionDecl& body, Types& types) {
  if (llvm::isa<clang::CXXConstructorDecl>(body)) return true;
  MovesModule moves(types);
  moves.TraverseStmt(body.getBody());
  return moves.found;
}

bool keeps_module(const clang::FunctionDecl& callee, unsigned args, Types& types) {
  if (!callee.isInStdNamespace()) return false;
  const FunctionModel* row = types.model(callee, args);
  return row == nullptr || row->kind != CallKind::kPass;
}

const clang::CXXConstructExpr* module_copied(const clang::Expr& expr, Types& types) {
  const auto* copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(strip(&expr));
  if (copy == nullptr || !copy->getConstructor()->isCopyConstructor()) return nullptr;
  const TypeInfo type = types.of(copy->getType());
  return type.role == Role::kModule && type.handle ? copy : nullptr;
}

}  // namespace xfer::analyzer
