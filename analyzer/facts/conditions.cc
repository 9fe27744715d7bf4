// Conditions that ask for a device, and the code that they decide about.

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <vector>

#include "analyzer/facts/given_values.h"
#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// The declarations that a condition names.
class Mentions : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Mentions(llvm::DenseSet<const clang::Decl*>& decls) : decls_(decls) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    if (llvm::isa<clang::VarDecl, clang::BindingDecl>(expr->getDecl()) &&
        !llvm::cast<clang::ValueDecl>(expr->getDecl())
             ->getType()
             .isConstant(expr->getDecl()->getASTContext()))
      decls_.insert(expr->getDecl());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* expr) override {
    if (llvm::isa<clang::FieldDecl>(expr->getMemberDecl())) decls_.insert(expr->getMemberDecl());
    return true;
  }

 private:
  llvm::DenseSet<const clang::Decl*>& decls_;
};

class ConditionScan : public clang::DynamicRecursiveASTVisitor {
 public:
  ConditionScan(const ModelSet& models, Types& types) : models_(models), types_(types) {}

  bool VisitCallExpr(clang::CallExpr* expr) override {
    const clang::FunctionDecl* callee = expr->getDirectCallee();
    if (callee == nullptr) return true;
    const FunctionModel* model = types_.model(*callee, expr->getNumArgs());
    const bool presence = model != nullptr && model->kind == CallKind::kPresence;
    (presence ? asks_presence_ : asks_more_) = true;
    if (model == nullptr) return true;
    kind_.device_query |= model->kind == CallKind::kDeviceQuery;
    kind_.device_choice |= model->kind == CallKind::kDeviceChoice;
    kind_.data |= model->syncs;
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    kind_.data |= expr->getOpcode() == clang::BO_Rem ||
                  (expr->isRelationalOp() && !tells_flag(*expr->getLHS(), *expr->getRHS()) &&
                   !tells_flag(*expr->getRHS(), *expr->getLHS()));
    return true;
  }
  bool VisitExpr(clang::Expr* expr) override {
    kind_.device_query |= types_.of(expr->getType()).role == Role::kDevice;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    note(*expr->getDecl());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* expr) override {
    note(*expr->getMemberDecl());
    return true;
  }

  ConditionKind found() const {
    ConditionKind found = kind_;
    if (named_.size() == 1 && asks_presence_ && !asks_more_) found.present = named_.front();
    return found;
  }

 private:
  void note(const clang::ValueDecl& named) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(&named);
    // `bool explore = dist(engine) < epsilon;`
    if (variable != nullptr && variable->isLocalVarDecl() && variable->getInit() != nullptr &&
        variable->getType()->isBooleanType() && followed_.insert(variable).second)
      TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
    if (variable != nullptr)
      named_.push_back(variable);
    else
      asks_more_ |= llvm::isa<clang::BindingDecl, clang::FieldDecl>(named);
  }

  /// `gpu >= 0`: a number that people use for a flag.
  static bool tells_flag(const clang::Expr& number, const clang::Expr& constant) {
    const clang::Expr* bare = strip(&constant);
    if (const auto* minus = llvm::dyn_cast<clang::UnaryOperator>(bare)) bare = minus->getSubExpr();
    return llvm::isa<clang::IntegerLiteral>(bare) &&
           number.getType()->isIntegralOrEnumerationType();
  }

  ConditionKind kind_;
  std::vector<const clang::VarDecl*> named_;
  llvm::DenseSet<const clang::VarDecl*> followed_;
  bool asks_presence_ = false, asks_more_ = false;
  const ModelSet& models_;
  Types& types_;
};

/// Is a Device assigned somewhere in here?
class AssignsDevice : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit AssignsDevice(Types& types) : types_(types) {}
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    found |= expr->isAssignmentOp() && types_.of(expr->getType()).role == Role::kDevice;
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* expr) override {
    found |= expr->isAssignmentOp() && types_.of(expr->getArg(0)->getType()).role == Role::kDevice;
    return true;
  }
  bool found = false;

 private:
  Types& types_;
};

}  // namespace

ConditionKind classify_condition(const clang::Stmt& condition, const ModelSet& models, Types& types,
                                 const DeviceFlags& flags) {
  ConditionScan scan(models, types);
  scan.TraverseStmt(const_cast<clang::Stmt*>(&condition));
  ConditionKind found = scan.found();
  found.device_choice |= flags.named_in(condition);
  return found;
}

void note_mentioned(const clang::Expr& condition, llvm::DenseSet<const clang::Decl*>& decls) {
  Mentions(decls).TraverseStmt(const_cast<clang::Expr*>(&condition));
}

bool assigns_device(const clang::Stmt& branch, Types& types) {
  AssignsDevice assigns(types);
  assigns.TraverseStmt(const_cast<clang::Stmt*>(&branch));
  return assigns.found;
}

}  // namespace xfer::analyzer
