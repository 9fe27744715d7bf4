#include "analyzer/facts/deciders.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>

#include <set>
#include <utility>

#include "analyzer/facts/picks.h"
#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

using Expressions = llvm::SmallVector<const clang::Expr*, 2>;

/// A variable or field that a choice rests on.
struct Flag {
  const clang::ValueDecl* decl;
  Leaves leaves;
};

/// The variables and fields that an expression names.
class Named : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Named(llvm::SmallVectorImpl<Flag>& found) : found_(found) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    if (llvm::isa<clang::VarDecl, clang::BindingDecl>(expr->getDecl()))
      found_.push_back({expr->getDecl(), Leaves::kNothing});
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* expr) override {
    if (const clang::FieldDecl* field = own_field(*expr))
      found_.push_back({field, Leaves::kNothing});
    return true;
  }

 private:
  llvm::SmallVectorImpl<Flag>& found_;
};

/// Does something ask which devices there are?
class AsksForDevices : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit AsksForDevices(Types& types) : types_(types) {}
  bool VisitCallExpr(clang::CallExpr* call) override {
    const FunctionModel* model = model_of(*call, types_);
    found |= model != nullptr && model->kind == CallKind::kDeviceChoice;
    return !found;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(expr->getDecl());
    if (variable != nullptr && variable->isLocalVarDecl() && variable->getInit() != nullptr &&
        seen_.insert(variable).second)
      TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
    return !found;
  }
  bool found = false;

 private:
  Types& types_;
  llvm::DenseSet<const clang::VarDecl*> seen_;
};

Leaves opposite(Leaves leaves) {
  switch (leaves) {
    case Leaves::kNothing: return Leaves::kNothing;
    case Leaves::kIfTrue: return Leaves::kIfFalse;
    case Leaves::kIfFalse: return Leaves::kIfTrue;
  }
  return Leaves::kNothing;
}

/// `if (!use_gpu) return kCPU;`
bool only_returns(const clang::IfStmt& branch) {
  const clang::Stmt* then = branch.getThen();
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(then)) then = block->body_back();
  return branch.getElse() == nullptr && llvm::isa_and_nonnull<clang::ReturnStmt>(then);
}

/// Finds the expressions of a function that decide on devices or set its variables and fields.
class DecidingScan : public clang::DynamicRecursiveASTVisitor {
 public:
  DecidingScan(const clang::FunctionDecl& function, Types& types)
      : function_(function),
        types_(types),
        picks_(function, types),
        gives_device_(is_device(function.getReturnType())) {
    ShouldVisitImplicitCode = true;
  }

  bool VisitConditionalOperator(clang::ConditionalOperator* choice) override {
    conditions_.push_back(choice->getCond());
    if (types_.of(choice->getType()).role != Role::kNone) want(*choice->getCond());
    if (is_device(choice->getType()))
      picks_.add(*choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr());
    return true;
  }
  bool TraverseIfStmt(clang::IfStmt* branch) override {
    conditions_.push_back(branch->getCond());
    const bool assigned = gives(branch->getThen()) || gives(branch->getElse());
    if (gives_device_ || assigned) want(*branch->getCond(), left_open(*branch));
    if (assigned) picks_.add(*branch->getCond(), branch->getThen(), branch->getElse());
    const unsigned asks = this->asks(branch->getCond()) ? 1 : 0;
    asked_ += asks;
    const bool on = clang::DynamicRecursiveASTVisitor::TraverseIfStmt(branch);
    asked_ -= asks;
    return on;
  }
  bool VisitSwitchStmt(clang::SwitchStmt* branch) override {
    conditions_.push_back(branch->getCond());
    const bool assigned = gives(branch->getBody());
    if (gives_device_ || assigned) want(*branch->getCond());
    if (assigned) picks_.add_many();
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

  Deciders deciders() {
    Deciders found;
    bool all_conditions = false;
    while (!pending_.empty()) {
      const auto [decl, leaves] = pending_.pop_back_val();
      if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(decl)) {
        if (parameter->getDeclContext() == &function_)
          found.add_parameter(parameter->getFunctionScopeIndex(), leaves);
        continue;
      }
      const auto given = given_.find(decl);
      if (given == given_.end()) {
        if (!llvm::isa<clang::FieldDecl>(decl)) continue;
        found.add_parameter(kThisParameter);
        found.add_field(decl->getNameAsString(), leaves);
        continue;
      }
      if (!wanted_.insert({decl, leaves}).second) continue;
      const bool one = given->second.size() == 1;
      for (const clang::Expr* expr : given->second) want(*expr, one ? leaves : Leaves::kNothing);
      // Which of its values it has, some branch decides.
      if (given->second.size() > 1 && !all_conditions) {
        all_conditions = true;
        for (const clang::Expr* condition : conditions_) want(*condition);
      }
    }
    found.pick = picks_.take(found);
    return found;
  }

 private:
  bool is_device(clang::QualType type) const {
    const Role role = types_.of(type).role;
    return role == Role::kDevice || role == Role::kOptions;
  }
  bool gives(const clang::Stmt* branch) const {
    return branch != nullptr && assigns_device(*branch, types_);
  }
  bool asks(const clang::Stmt* statement) const {
    AsksForDevices scan(types_);
    scan.TraverseStmt(const_cast<clang::Stmt*>(statement));
    return scan.found;
  }

  /// The value of a branch's condition, if that is one flag, that leaves the choice to the run: the
  /// branch stands inside another that asks which devices there are, or around one.
  Leaves left_open(const clang::IfStmt& branch) const {
    const bool then = asked_ > 0 ? gives(branch.getThen()) : asks(branch.getThen());
    const bool other = asked_ > 0 ? gives(branch.getElse()) : asks(branch.getElse());
    if (then != other) return then ? Leaves::kIfTrue : Leaves::kIfFalse;
    const bool first = gives_device_ && asked_ == 0 && only_returns(branch);
    return first && !then && asks(function_.getBody()) ? Leaves::kIfFalse : Leaves::kNothing;
  }

  /// `leaves`: to the run, if the expression is one flag.
  void want(const clang::Expr& expr, Leaves leaves = Leaves::kNothing) {
    const clang::Expr* bare = strip(&expr);
    if (const auto* negation = llvm::dyn_cast_or_null<clang::UnaryOperator>(bare);
        negation != nullptr && negation->getOpcode() == clang::UO_LNot)
      return want(*negation->getSubExpr(), opposite(leaves));
    if (const auto* both = llvm::dyn_cast_or_null<clang::BinaryOperator>(bare);
        both != nullptr && both->isLogicalOp()) {
      const Leaves open = both->getOpcode() == clang::BO_LAnd ? Leaves::kIfTrue : Leaves::kIfFalse;
      want(*both->getLHS(), asks(both->getRHS()) ? open : leaves);
      want(*both->getRHS(), asks(both->getLHS()) ? open : leaves);
      return;
    }
    const std::size_t before = pending_.size();
    Named(pending_).TraverseStmt(const_cast<clang::Expr*>(&expr));
    if (bare != nullptr && llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(bare) &&
        pending_.size() == before + 1)
      pending_.back().leaves = leaves;
  }

  const clang::FunctionDecl& function_;
  Types& types_;
  Picks picks_;
  bool gives_device_;
  Expressions conditions_;
  llvm::MapVector<const clang::Decl*, Expressions> given_;
  unsigned asked_ = 0;  ///< conditions around that ask which devices there are
  std::set<std::pair<const clang::ValueDecl*, Leaves>> wanted_;
  llvm::SmallVector<Flag, 8> pending_;
};

}  // namespace

Deciders deciders_of(const clang::FunctionDecl& function, Types& types) {
  DecidingScan scan(function, types);
  scan.TraverseDecl(const_cast<clang::FunctionDecl*>(&function));
  return scan.deciders();
}

}  // namespace xfer::analyzer
