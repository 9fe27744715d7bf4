// The element of a list that an index names: by a constant, a text, or a variable that only the
// function changes, where it can be seen.

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// The variable that an expression gives another number; null: none.
const clang::VarDecl* changed_by(const clang::Expr& expr) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expr))
    return unary->isIncrementDecrementOp() ? variable_named(unary->getSubExpr()) : nullptr;
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expr);
  return binary != nullptr && binary->isAssignmentOp() ? variable_named(binary->getLHS()) : nullptr;
}

class IndexVisitor : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* expr) override {
    return index(expr->getIdx());
  }
  bool VisitCallExpr(clang::CallExpr* expr) override {
    const auto* subscript = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
    if (subscript != nullptr && subscript->getOperator() == clang::OO_Subscript)
      return index(subscript->getArg(1));
    const bool method = llvm::isa<clang::CXXMemberCallExpr>(expr) && expr->getNumArgs() == 1;
    return method ? index(expr->getArg(0)) : true;  // v.at(i)
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue) seen_.insert(strip(cast->getSubExpr()));
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* expr) override { return change(*expr); }
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override { return change(*expr); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    names_.push_back(expr);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
        others_.insert(llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()));
    return true;
  }

  llvm::DenseSet<const clang::VarDecl*> take() {
    // Neither read nor changed here: handed to others, who may change it.
    for (const clang::DeclRefExpr* name : names_)
      if (!seen_.contains(name)) others_.insert(variable_named(name));
    for (const clang::VarDecl* other : others_) indices_.erase(other);
    return std::move(indices_);
  }

 private:
  bool index(const clang::Expr* expr) {
    const clang::VarDecl* variable = variable_named(without_casts(expr));
    if (variable == nullptr || !variable->isLocalVarDeclOrParm() || variable->isStaticLocal())
      return true;
    const clang::QualType type = variable->getType();
    if (type->isIntegralOrEnumerationType() && !type->isReferenceType()) indices_.insert(variable);
    return true;
  }
  bool change(const clang::Expr& expr) {
    if (changed_by(expr) == nullptr) return true;
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expr);
    seen_.insert(strip(unary != nullptr ? unary->getSubExpr()
                                        : llvm::cast<clang::BinaryOperator>(expr).getLHS()));
    return true;
  }

  llvm::DenseSet<const clang::VarDecl*> indices_;
  llvm::DenseSet<const clang::VarDecl*> others_;  ///< other code may change them
  llvm::DenseSet<const clang::Expr*> seen_;       ///< names that are read or assigned to
  std::vector<const clang::DeclRefExpr*> names_;
};

}  // namespace

llvm::DenseSet<const clang::VarDecl*> list_indices(const clang::Stmt& body) {
  IndexVisitor visitor;
  visitor.TraverseStmt(const_cast<clang::Stmt*>(&body));
  return visitor.take();
}

ElementKey Reader::element_key(const clang::Expr* index) {
  if (index == nullptr || index->isValueDependent()) return 0;
  const auto written = [&](std::string text) {
    return written_keys_
        .try_emplace(std::move(text), static_cast<ElementKey>(written_keys_.size() + 1))
        .first->second;
  };
  if (const clang::VarDecl* variable = variable_named(without_casts(index)))
    if (indices_.contains(variable)) return kFirstNamedKey + name_of(*variable);
  if (const clang::StringLiteral* text = find_literal(index))
    return text->isOrdinary() ? written("\"" + text->getString().str()) : 0;
  clang::Expr::EvalResult number;
  if (!index->getType()->isIntegralOrEnumerationType() || !index->EvaluateAsInt(number, context_))
    return 0;
  return written(std::to_string(number.Val.getInt().getExtValue()));
}

void Reader::read_index_change(const clang::Expr& expr) {
  if (memory_.changes.count(&expr) != 0) return;  // told already
  if (const clang::VarDecl* variable = changed_by(expr)) new_index(*variable);
}

/// An index has another number, or begins.
void Reader::new_index(const clang::VarDecl& variable) {
  if (indices_.contains(&variable)) emit(fact::Change{name_of(variable), {}}, nullptr);
}

}  // namespace xfer::analyzer
