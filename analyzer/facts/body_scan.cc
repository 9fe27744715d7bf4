#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {

namespace {

class BodyScanner {
 public:
  BodyScanner(BodyScan& scan, clang::ASTContext& context, const ModelSet& models, Types& types,
              const llvm::DenseSet<const clang::Expr*>& addresses)
      : scan_(scan), context_(context), models_(models), types_(types), addresses_(addresses) {}

  void statement(const clang::Stmt* node) {
    if (node == nullptr) return;
    if (const auto* expr = llvm::dyn_cast<clang::Expr>(node)) {
      scan_.full.insert(strip(expr));
      scan_.full.insert(expr);
      discard(expr);
      expression(expr);
      return;
    }
    scan_.full.insert(node);
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(node)) {
      if (const auto* range = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getRangeStmt())) {
        const auto* over = llvm::cast<clang::VarDecl>(range->getSingleDecl());
        scan_.loop_ranges[loop->getLoopVariable()] = over;
        scan_.loops_over[over] = loop;
      }
      value(loop->getRangeInit());
      statement(loop->getInit());
      statement(loop->getBody());
      return;
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(node)) note_branch(*branch);
    scan_.has_try |= llvm::isa<clang::CXXTryStmt>(node);
    scan_.coroutine |= llvm::isa<clang::CoroutineBodyStmt, clang::CoreturnStmt>(node);
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(node)) {
      for (const clang::Decl* decl : declarations->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
          if (variable->isInvalidDecl()) unreadable(*variable);
          if (const clang::Expr* init = variable->getInit()) {
            note_flag(variable, init);
            expression(init);
          }
        }
      return;
    }
    if (llvm::isa<clang::CompoundStmt>(node))
      for (const clang::Stmt* child : node->children()) scan_.block_statements.insert(child);
    const clang::Stmt* condition = condition_of(*node);
    for (const clang::Stmt* child : node->children()) {
      if (child == nullptr) continue;
      const auto* expr = llvm::dyn_cast<clang::Expr>(child);
      const bool used = expr != nullptr &&
                        (child == condition || llvm::isa<clang::ReturnStmt, clang::CaseStmt>(node));
      if (used)
        value(expr);
      else
        statement(child);
    }
  }

 private:
  static const clang::Stmt* condition_of(const clang::Stmt& node) {
    if (const auto* s = llvm::dyn_cast<clang::IfStmt>(&node)) return s->getCond();
    if (const auto* s = llvm::dyn_cast<clang::WhileStmt>(&node)) return s->getCond();
    if (const auto* s = llvm::dyn_cast<clang::DoStmt>(&node)) return s->getCond();
    if (const auto* s = llvm::dyn_cast<clang::ForStmt>(&node)) return s->getCond();
    if (const auto* s = llvm::dyn_cast<clang::SwitchStmt>(&node)) return s->getCond();
    return nullptr;
  }

  void value(const clang::Expr* expr) {
    if (expr != nullptr) expression(expr);
  }

  /// The value of `expr` is used by nothing.
  void discard(const clang::Expr* expr) {
    const clang::Expr* inner = strip(expr);
    if (const auto* comma = llvm::dyn_cast<clang::BinaryOperator>(inner)) {
      if (comma->getOpcode() == clang::BO_Comma) discard(comma->getRHS());
    } else if (const auto* comma_call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(inner)) {
      if (comma_call->getOperator() == clang::OO_Comma) return;
      scan_.discarded.insert(inner);
    } else if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(inner)) {
      discard(choice->getTrueExpr());
      discard(choice->getFalseExpr());
    } else if (const auto* logical = llvm::dyn_cast<clang::StmtExpr>(inner)) {
      (void)logical;
    } else if (llvm::isa<clang::CallExpr>(inner)) {
      scan_.discarded.insert(inner);
    }
  }

  void expression(const clang::Expr* expr) {
    const clang::Expr* inner = strip(expr);
    if (inner == nullptr) return;
    if (inner->containsErrors()) unreadable(*inner);
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(inner)) {
      const bool followed = scan_.called_lambdas.contains(lambda);
      const LambdaChanges changed = changed_by_lambda(*lambda->getCallOperator(), types_);
      for (const clang::LambdaCapture& capture : lambda->captures()) {
        if (!capture.capturesVariable()) continue;
        const clang::ValueDecl* captured = capture.getCapturedVar();
        if (!followed && changed.variables.contains(captured)) scan_.untracked.insert(captured);
        if (!followed && changed.data.contains(captured)) scan_.data_changed.insert(captured);
        if (capture.getCaptureKind() == clang::LCK_ByRef) scan_.referred.insert(captured);
      }
      for (const clang::Expr* init : lambda->capture_inits())
        if (init != nullptr) expression(init);
      return;
    }
    if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(inner)) {
      statement(block->getSubStmt());
      return;
    }
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(inner)) {
      if (binary->getOpcode() == clang::BO_Comma) discard(binary->getLHS());
      if (binary->isAssignmentOp()) note_flag(root_of(binary->getLHS()), binary->getRHS());
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(inner))
      for (const clang::Expr* argument : call->arguments()) note_given(*argument);
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(inner))
      for (const clang::Expr* argument : made->arguments()) note_given(*argument);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(inner))
      if (unary->getOpcode() == clang::UO_AddrOf && !addresses_.contains(unary))
        note_address(*unary);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(inner)) {
      const Role role = types_.of(choice->getType()).role;
      if (role == Role::kDevice || role == Role::kOptions ||
          (role == Role::kTensor &&
           (may_move(*choice->getTrueExpr()) || may_move(*choice->getFalseExpr()))))
        note_condition(choice->getCond());
    }
    for (const clang::Stmt* child : inner->children())
      if (const auto* sub = llvm::dyn_cast_or_null<clang::Expr>(child)) expression(sub);
  }

  /// An expression that did not parse may do anything to the variables and fields that it names.
  void unreadable(const clang::Expr& expr) {
    llvm::DenseSet<const clang::Decl*> named;
    note_mentioned(expr, named);
    for (const clang::Decl* decl : named) unreadable(*decl);
  }
  void note_given(const clang::Expr& argument) {
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(strip(&argument));
    if (address != nullptr && address->getOpcode() == clang::UO_AddrOf) given_.insert(address);
  }
  /// Notes the variable or field whose address is taken: a pointer may change it.
  void note_address(const clang::UnaryOperator& address) {
    const Role role = types_.of(address.getSubExpr()->getType()).role;
    const bool given = given_.contains(&address);
    // A callee does not write a device through the pointer that it is given.
    if (role == Role::kModule || (given && role == Role::kDevice)) return;
    const clang::Decl* root = root_of(address.getSubExpr());
    if (root == nullptr) return;
    scan_.untracked.insert(root);
    if (llvm::isa<clang::FieldDecl>(root) && !given && role == Role::kTensor)
      scan_.pointed_to.insert(&address);
  }
  void unreadable(const clang::Decl& decl) {
    scan_.unreadable = true;
    scan_.unread.insert(&decl);
    scan_.fields_unreadable |= llvm::isa<clang::FieldDecl>(decl);
    scan_.untracked.insert(&decl);
  }

  /// `decl` is decided by devices when `from` is.
  void note_flag(const clang::Decl* decl, const clang::Expr* from) {
    if (decl == nullptr) return;
    const auto* declared = llvm::dyn_cast<clang::ValueDecl>(decl);
    if (declared == nullptr || types_.of(declared->getType()).role != Role::kNone) return;
    const ConditionKind kind = classify_condition(*from, models_, types_, scan_.device_flags);
    if (kind.device_choice || kind.device_query) scan_.device_flags.add(*decl);
  }
  /// A transfer is in the expression, or a call that may make one.
  bool may_move(const clang::Stmt& node) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (callee == nullptr || !types_.in_library(*callee)) return true;
      const FunctionModel* model = types_.model(*callee, call->getNumArgs());
      if (model != nullptr && model->kind == CallKind::kTransfer) return true;
    }
    return std::any_of(node.child_begin(), node.child_end(), [&](const clang::Stmt* child) {
      return child != nullptr && may_move(*child);
    });
  }
  void note_condition(const clang::Expr* condition) { scan_.device_flags.add_named(*condition); }
  void note_branch(const clang::IfStmt& branch) {
    const clang::Stmt* other = branch.getElse();
    if (assigns_device(*branch.getThen(), types_) ||
        (other != nullptr && assigns_device(*other, types_)))
      scan_.device_flags.add_named(*branch.getCond());
  }

  BodyScan& scan_;
  clang::ASTContext& context_;
  const ModelSet& models_;
  Types& types_;
  const llvm::DenseSet<const clang::Expr*>& addresses_;  ///< see MemoryScan
  llvm::DenseSet<const clang::Expr*> given_;             ///< addresses that are arguments
};

}  // namespace

BodyScan scan_body(const clang::Stmt& body, clang::ASTContext& context, const ModelSet& models,
                   Types& types, const Iterators& iterators,
                   const llvm::DenseSet<const clang::Expr*>& addresses) {
  BodyScan scan;
  find_only_called(body, scan);
  find_other_names(body, iterators, types, scan.untracked);
  BodyScanner(scan, context, models, types, addresses).statement(&body);
  return scan;
}

}  // namespace xfer::analyzer
