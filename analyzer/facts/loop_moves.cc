#include "analyzer/facts/loop_moves.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Analysis/Analyses/ExprMutationAnalyzer.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// An iteration may end before its last statement.
class LeavesEarly : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitBreakStmt(clang::BreakStmt*) override { return note(); }
  bool VisitContinueStmt(clang::ContinueStmt*) override { return note(); }
  bool VisitReturnStmt(clang::ReturnStmt*) override { return note(); }
  bool VisitGotoStmt(clang::GotoStmt*) override { return note(); }
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool found = false;

 private:
  bool note() {
    found = true;
    return false;
  }
};

/// Checks that an expression means the same in every iteration.
class SameInAll : public clang::DynamicRecursiveASTVisitor {
 public:
  SameInAll(const clang::CXXForRangeStmt& loop, clang::ASTContext& context)
      : loop_(loop), changes_(*loop.getBody(), context), sources_(context.getSourceManager()) {}

  bool VisitCallExpr(clang::CallExpr*) override { return differ(); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(expr->getDecl());
    if (variable == nullptr) return true;
    const bool inside =
        variable == loop_.getLoopVariable() ||
        !sources_.isBeforeInTranslationUnit(variable->getLocation(), loop_.getBeginLoc());
    return inside || changes_.isMutated(variable) ? differ() : true;
  }
  bool VisitMemberExpr(clang::MemberExpr* expr) override {
    return changes_.isMutated(expr) ? differ() : true;
  }
  bool differs = false;

 private:
  bool differ() {
    differs = true;
    return false;
  }

  const clang::CXXForRangeStmt& loop_;
  clang::ExprMutationAnalyzer changes_;
  const clang::SourceManager& sources_;
};

/// The call of a method of the loop's variable: `net->to(device)`, `(*net).to(device)`,
/// `net.to(device)`.
bool asks_element(const clang::CXXMemberCallExpr& call, const clang::VarDecl& element) {
  const clang::Expr* receiver = strip(call.getImplicitObjectArgument());
  if (const auto* arrow = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(receiver);
      arrow != nullptr && arrow->getNumArgs() == 1)
    receiver = strip(arrow->getArg(0));
  if (const auto* pointee = llvm::dyn_cast_or_null<clang::UnaryOperator>(receiver);
      pointee != nullptr && pointee->getOpcode() == clang::UO_Deref)
    receiver = strip(pointee->getSubExpr());
  const auto* named = llvm::dyn_cast_or_null<clang::DeclRefExpr>(receiver);
  return named != nullptr && named->getDecl() == &element;
}

bool moves(const clang::CXXMemberCallExpr& call, Types& types) {
  const FunctionModel* row = model_of(call, types);
  return row != nullptr && row->kind == CallKind::kMove;
}

/// `net->train()`: no data comes or goes.
bool only_switches(const clang::CXXMemberCallExpr& call, Types& types) {
  return types.of(call.getType()).role == Role::kNone &&
         llvm::all_of(call.arguments(), [&](const clang::Expr* argument) {
           return types.of(argument->getType()).role == Role::kNone;
         });
}

/// The statements directly in the body of a loop.
llvm::SmallVector<const clang::Stmt*, 4> statements(const clang::Stmt& body) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&body))
    return {block->body_begin(), block->body_end()};
  return {&body};
}

/// The first that works with the element moves it.
const clang::CXXMemberCallExpr* first_move(const clang::Stmt& body, const clang::VarDecl& element,
                                           Types& types) {
  for (const clang::Stmt* statement : statements(body)) {
    const auto* expr = llvm::dyn_cast<clang::Expr>(statement);
    const auto* call =
        expr == nullptr
            ? nullptr
            : llvm::dyn_cast<clang::CXXMemberCallExpr>(expr->IgnoreUnlessSpelledInSource());
    if (call == nullptr || !asks_element(*call, element)) return nullptr;
    if (moves(*call, types)) return call;
    if (!only_switches(*call, types)) return nullptr;
  }
  return nullptr;
}

}  // namespace

const clang::CXXMemberCallExpr* moves_each(const clang::CXXForRangeStmt& loop, Types& types,
                                           clang::ASTContext& context) {
  const clang::VarDecl* element = loop.getLoopVariable();
  const clang::Stmt* body = loop.getBody();
  if (element == nullptr || body == nullptr) return nullptr;
  const clang::CXXMemberCallExpr* found = first_move(*body, *element, types);
  if (found == nullptr) return nullptr;
  LeavesEarly leaves;
  leaves.TraverseStmt(const_cast<clang::Stmt*>(body));
  if (leaves.found) return nullptr;
  SameInAll same(loop, context);
  for (const clang::Expr* argument : found->arguments())
    same.TraverseStmt(const_cast<clang::Expr*>(argument));
  return same.differs ? nullptr : found;
}

}  // namespace xfer::analyzer
