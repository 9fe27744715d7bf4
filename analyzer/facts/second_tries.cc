#include "analyzer/facts/second_tries.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/values_given.h"

namespace xfer::analyzer {
namespace {

/// The frees of a statement, and the variables that it names.
class Frees : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Frees(Types& types) : types_(types) {}

  bool VisitCallExpr(clang::CallExpr* call) override {
    const FunctionModel* row = model_of(*call, types_);
    if (row != nullptr && row->kind == CallKind::kFree && call->getNumArgs() > 0)
      found.insert(call);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* named) override {
    variables.insert(named->getDecl());
    return true;
  }

  llvm::DenseSet<const clang::Expr*> found;
  llvm::DenseSet<const clang::Decl*> variables;

 private:
  Types& types_;
};

Frees frees_of(const clang::Stmt& statement, Types& types) {
  Frees frees(types);
  frees.TraverseStmt(const_cast<clang::Stmt*>(&statement));
  return frees;
}

class SecondTries : public ValuesGiven {
 public:
  explicit SecondTries(Types& types) : types_(types) {}

  bool VisitIfStmt(clang::IfStmt* branch) override {
    if (!asks_for_free(*branch)) return true;
    for (clang::Stmt* side : {branch->getThen(), branch->getElse()}) {
      if (side == nullptr) continue;
      const Frees frees = in(*side);
      found.insert(frees.found.begin(), frees.found.end());
    }
    return true;
  }

  llvm::DenseSet<const clang::Expr*> found;

 private:
  Frees in(const clang::Stmt& statement) const { return frees_of(statement, types_); }
  /// Notes a variable that holds the status of a free.
  void give(const clang::VarDecl& variable, const clang::Expr& value) override {
    if (!in(value).found.empty()) endings_.insert(&variable);
  }
  bool asks_for_free(const clang::IfStmt& branch) {
    if (branch.getCond() == nullptr) return false;
    const Frees asked = in(*branch.getCond());
    if (!asked.found.empty()) return true;
    if (branch.getInit() != nullptr && !in(*branch.getInit()).found.empty()) return true;
    return llvm::any_of(asked.variables,
                        [&](const clang::Decl* variable) { return endings_.contains(variable); });
  }

  Types& types_;
  llvm::DenseSet<const clang::Decl*> endings_;
};

}  // namespace

llvm::DenseSet<const clang::Expr*> second_tries(const clang::Stmt& body, Types& types) {
  if (frees_of(body, types).found.size() < 2) return {};  // most functions
  SecondTries tries(types);
  tries.TraverseStmt(const_cast<clang::Stmt*>(&body));
  return std::move(tries.found);
}

}  // namespace xfer::analyzer
