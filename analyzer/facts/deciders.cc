#include "analyzer/facts/deciders.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Analysis/Analyses/ExprMutationAnalyzer.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
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

  std::set<std::uint32_t> parameters() {
    std::set<std::uint32_t> found;
    bool all_conditions = false;
    while (!pending_.empty()) {
      const clang::ValueDecl* decl = pending_.pop_back_val();
      if (!wanted_.insert(decl).second) continue;
      if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(decl)) {
        if (parameter->getDeclContext() == &function_)
          found.insert(parameter->getFunctionScopeIndex());
        continue;
      }
      const auto given = given_.find(decl);
      if (given == given_.end()) {
        if (llvm::isa<clang::FieldDecl>(decl)) found.insert(kThisParameter);
        continue;
      }
      for (const clang::Expr* expr : given->second) want(*expr);
      // Which of its values it has, some branch decides.
      if (given->second.size() > 1 && !all_conditions) {
        all_conditions = true;
        for (const clang::Expr* condition : conditions_) want(*condition);
      }
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
  llvm::DenseMap<const clang::Decl*, Expressions> given_;
  llvm::DenseSet<const clang::Decl*> wanted_;
  llvm::SmallVector<const clang::ValueDecl*, 8> pending_;
};

bool is_local(const clang::VarDecl& variable, const clang::FunctionDecl& function) {
  return variable.isLocalVarDecl() && variable.getDeclContext() == &function;
}

/// What an expression of the caller's rests on.
class ArgumentScan : public clang::DynamicRecursiveASTVisitor {
 public:
  ArgumentScan(const clang::FunctionDecl& caller, GivenArgument& given,
               llvm::DenseMap<const clang::VarDecl*, bool>& kept, unsigned depth)
      : caller_(caller), given_(given), kept_(kept), depth_(depth) {}

  bool VisitCallExpr(clang::CallExpr* call) override {
    if (!llvm::isa<clang::CXXOperatorCallExpr>(call)) given_.settled = false;
    return true;
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr*) override {
    given_.settled = false;
    given_.rests_on.insert(kThisParameter);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(expr->getDecl())) {
      given_.settled = false;
      if (parameter->getDeclContext() == &caller_)
        given_.rests_on.insert(parameter->getFunctionScopeIndex());
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(expr->getDecl())) {
      see(*variable);
    } else if (llvm::isa<clang::BindingDecl>(expr->getDecl())) {
      given_.settled = false;
    }
    return true;
  }

 private:
  void see(const clang::VarDecl& variable) {
    const clang::ASTContext& context = caller_.getASTContext();
    const bool constant = variable.getType().isConstant(context);
    // A constant may be made of itself.
    if (depth_ == 0 || (!constant && !is_local(variable, caller_))) {
      given_.settled = false;
      return;
    }
    if (variable.getInit() != nullptr)
      ArgumentScan(caller_, given_, kept_, depth_ - 1)
          .TraverseStmt(const_cast<clang::Expr*>(variable.getInit()));
    // A record's fields are taken for settled where the caller made it: who sets them, and to what,
    // is not followed.
    if (!constant && !variable.getType()->isRecordType() && !keeps(variable))
      given_.settled = false;
  }
  bool keeps(const clang::VarDecl& variable) {
    const auto [entry, added] = kept_.try_emplace(&variable, false);
    if (added) entry->second = keeps_its_value(variable, caller_);
    return entry->second;
  }

  const clang::FunctionDecl& caller_;
  GivenArgument& given_;
  llvm::DenseMap<const clang::VarDecl*, bool>& kept_;
  unsigned depth_;
};

/// The argument as written; null: the parameter's default.
const clang::Expr* argument_of(const clang::Expr& call, std::uint32_t parameter) {
  const auto at = [&](const auto& expr, unsigned first) -> const clang::Expr* {
    if (parameter + first >= expr.getNumArgs()) return nullptr;
    const clang::Expr* argument = expr.getArg(parameter + first);
    return llvm::isa<clang::CXXDefaultArgExpr>(argument) ? nullptr : argument;
  };
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&call)) return at(*made, 0);
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call))
    return parameter == kThisParameter ? method->getImplicitObjectArgument() : at(*method, 0);
  if (const auto* plain = llvm::dyn_cast<clang::CallExpr>(&call)) {
    const bool object_first = llvm::isa<clang::CXXOperatorCallExpr>(plain) &&
                              llvm::isa_and_nonnull<clang::CXXMethodDecl>(plain->getDirectCallee());
    if (parameter == kThisParameter) return object_first ? plain->getArg(0) : nullptr;
    return at(*plain, object_first ? 1 : 0);
  }
  return nullptr;
}

}  // namespace

std::set<std::uint32_t> deciding_parameters(const clang::FunctionDecl& function, Types& types) {
  DecidingScan scan(function, types);
  scan.TraverseDecl(const_cast<clang::FunctionDecl*>(&function));
  return scan.parameters();
}

bool keeps_its_value(const clang::VarDecl& variable, const clang::FunctionDecl& function) {
  return is_local(variable, function) &&
         !clang::ExprMutationAnalyzer(*function.getBody(), function.getASTContext())
              .isMutated(&variable);
}

GivenArgument given_argument(const clang::Expr& call, std::uint32_t parameter,
                             const clang::FunctionDecl& caller,
                             llvm::DenseMap<const clang::VarDecl*, bool>& kept) {
  GivenArgument given;
  given.settled = true;
  if (const clang::Expr* argument = argument_of(call, parameter))
    ArgumentScan(caller, given, kept, 3).TraverseStmt(const_cast<clang::Expr*>(argument));
  return given;
}

}  // namespace xfer::analyzer
