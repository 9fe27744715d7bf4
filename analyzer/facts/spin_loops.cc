#include "analyzer/facts/spin_loops.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Stmt.h>

namespace xfer::analyzer {
namespace {

bool does_nothing(const clang::Stmt* body) {
  if (body == nullptr || llvm::isa<clang::NullStmt, clang::ContinueStmt>(body)) return true;
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body);
  return block != nullptr && llvm::all_of(block->body(), does_nothing);
}

class SpinLoops : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitWhileStmt(clang::WhileStmt* loop) override {
    return note(loop->getBody(), loop->getCond());
  }
  bool VisitDoStmt(clang::DoStmt* loop) override { return note(loop->getBody(), loop->getCond()); }
  bool VisitForStmt(clang::ForStmt* loop) override {
    return loop->getInc() != nullptr || note(loop->getBody(), loop->getCond());
  }

  llvm::DenseSet<const clang::Expr*> conditions;

 private:
  bool note(const clang::Stmt* body, const clang::Expr* condition) {
    if (condition != nullptr && does_nothing(body)) add(*condition);
    return true;
  }
  void add(const clang::Expr& expr) {
    conditions.insert(&expr);
    for (const clang::Stmt* child : expr.children())
      if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child)) add(*part);
  }
};

}  // namespace

llvm::DenseSet<const clang::Expr*> spun_on(const clang::Stmt& body) {
  SpinLoops loops;
  loops.TraverseStmt(const_cast<clang::Stmt*>(&body));
  return std::move(loops.conditions);
}

}  // namespace xfer::analyzer
