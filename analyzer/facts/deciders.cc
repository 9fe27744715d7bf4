#include "analyzer/facts/deciders.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

using Expressions = llvm::SmallVector<const clang::Expr*, 2>;

/// The variables and fields that an expression names.
class Named : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Named(llvm::SmallVectorImpl<const clang::ValueDecl*>& found) : found_(found) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    if (llvm::isa<clang::VarDecl, clang::BindingDecl>(expr->getDecl()))
      found_.push_back(expr->getDecl());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* expr) override {
    const bool own = llvm::isa<clang::CXXThisExpr>(expr->getBase()->IgnoreParenImpCasts());
    if (own && llvm::isa<clang::FieldDecl>(expr->getMemberDecl()))
      found_.push_back(expr->getMemberDecl());
    return true;
  }

 private:
  llvm::SmallVectorImpl<const clang::ValueDecl*>& found_;
};

/// What decides about devices in one function, and what variables and fields are given there.
class DecidingScan : public clang::DynamicRecursiveASTVisitor {
 public:
  DecidingScan(const clang::FunctionDecl& function, Types& types)
      : function_(function), types_(types), gives_device_(is_device(function.getReturnType())) {
    ShouldVisitImplicitCode = true;
  }

  bool VisitConditionalOperator(clang::ConditionalOperator* choice) override {
    conditions_.push_back(choice->getCond());
    if (types_.of(choice->getType()).role != Role::kNone) want(*choice->getCond());
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* branch) override {
    conditions_.push_back(branch->getCond());
    const clang::Stmt* other = branch->getElse();
    if (gives_device_ || assigns_device(*branch->getThen(), types_) ||
        (other != nullptr && assigns_device(*other, types_)))
      want(*branch->getCond());
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt* branch) override {
    conditions_.push_back(branch->getCond());
    if (gives_device_ || assigns_device(*branch->getBody(), types_)) want(*branch->getCond());
    return true;
  }
  /// A device of a text or a number.
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    if (is_device(made->getType()))
      for (const clang::Expr* argument : made->arguments())
        if (types_.of(argument->getType()).role == Role::kNone) want(*argument);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr) given_[variable].push_back(variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    if (expr->isAssignmentOp())
      if (const clang::Decl* root = root_of(expr->getLHS())) given_[root].push_back(expr->getRHS());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* expr) override {
    if (expr->isAssignmentOp() && expr->getNumArgs() == 2)
      if (const clang::Decl* root = root_of(expr->getArg(0)))
        given_[root].push_back(expr->getArg(1));
    return true;
  }
  bool TraverseConstructorInitializer(clang::CXXCtorInitializer* initializer) override {
    if (initializer->isAnyMemberInitializer() && initializer->isWritten())
      given_[initializer->getAnyMember()].push_back(initializer->getInit());
    return clang::DynamicRecursiveASTVisitor::TraverseConstructorInitializer(initializer);
  }

  Decisions decisions() {
    Decisions found;
    bool all_conditions = false;
    while (!pending_.empty()) {
      const clang::ValueDecl* decl = pending_.pop_back_val();
      if (!wanted_.insert(decl).second) continue;
      if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(decl)) {
        if (parameter->getDeclContext() == &function_)
          found.deciding.parameters.insert(parameter->getFunctionScopeIndex());
        continue;
      }
      const auto given = given_.find(decl);
      if (given == given_.end()) {
        if (!llvm::isa<clang::FieldDecl>(decl)) continue;
        found.deciding.parameters.insert(kThisParameter);
        found.deciding.fields.insert(decl->getNameAsString());
        continue;
      }
      for (const clang::Expr* expr : given->second) want(*expr);
      // Which of its values it has, some branch decides.
      if (given->second.size() > 1 && !all_conditions) {
        all_conditions = true;
        for (const clang::Expr* condition : conditions_) want(*condition);
      }
    }
    KeptVariables kept;
    for (const auto& [decl, given] : given_) {
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(decl);
      if (field == nullptr || types_.of(field->getType()).role != Role::kNone) continue;
      for (const clang::Expr* expr : given)
        found.settings.push_back({field, given_value(*expr, function_, kept)});
    }
    return found;
  }

 private:
  bool is_device(clang::QualType type) const {
    const Role role = types_.of(type).role;
    return role == Role::kDevice || role == Role::kOptions;
  }
  void want(const clang::Expr& expr) {
    Named(pending_).TraverseStmt(const_cast<clang::Expr*>(&expr));
  }

  const clang::FunctionDecl& function_;
  Types& types_;
  bool gives_device_;
  Expressions conditions_;
  llvm::MapVector<const clang::Decl*, Expressions> given_;
  llvm::DenseSet<const clang::Decl*> wanted_;
  llvm::SmallVector<const clang::ValueDecl*, 8> pending_;
};

}  // namespace

Decisions decisions_of(const clang::FunctionDecl& function, Types& types) {
  DecidingScan scan(function, types);
  scan.TraverseDecl(const_cast<clang::FunctionDecl*>(&function));
  return scan.decisions();
}

}  // namespace xfer::analyzer
