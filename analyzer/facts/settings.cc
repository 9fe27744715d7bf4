#include "analyzer/facts/settings.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseSet.h>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/given_values.h"

namespace xfer::analyzer {
namespace {

const clang::FieldDecl* field_of(const clang::Expr* expr) {
  const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(strip(expr));
  return member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
}

/// It may be what a function asks before it chooses a device.
bool is_flag(const clang::FieldDecl& field) {
  return field.getType()->isIntegralOrEnumerationType();
}

class SettingScan : public clang::DynamicRecursiveASTVisitor {
 public:
  SettingScan(const clang::FunctionDecl& function, Types& types)
      : function_(function), types_(types) {
    ShouldVisitImplicitCode = true;
  }

  bool TraverseConstructorInitializer(clang::CXXCtorInitializer* initializer) override {
    if (initializer->isAnyMemberInitializer())
      start(*initializer->getAnyMember(), initializer->getInit());
    return clang::DynamicRecursiveASTVisitor::TraverseConstructorInitializer(initializer);
  }
  /// `Options{true, 3}`
  bool VisitInitListExpr(clang::InitListExpr* list) override {
    if (!list->isSemanticForm()) return true;
    for (const auto& [field, init] : fields_made(*list))
      if (is_flag(*field)) start(*field, init);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    if (expr->isAssignmentOp()) assigned(expr->getLHS(), *expr->getRHS());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* expr) override {
    if (expr->isAssignmentOp() && expr->getNumArgs() == 2)
      assigned(expr->getArg(0), *expr->getArg(1));
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      followed_.insert(strip(cast->getSubExpr()));
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (const clang::FieldDecl* field = field_of(member); field != nullptr && is_flag(*field))
      members_.push_back(member);
    return true;
  }

  std::vector<GivenField> take() {
    for (const clang::MemberExpr* member : members_)
      if (!followed_.contains(member)) found_.push_back({field_of(member), GivenValue()});
    return std::move(found_);
  }

 private:
  void start(const clang::FieldDecl& field, const clang::Expr* value) {
    const auto* by_default = llvm::dyn_cast_or_null<clang::CXXDefaultInitExpr>(value);
    if (by_default != nullptr) value = is_flag(field) ? by_default->getExpr() : nullptr;
    if (value != nullptr) put(field, *value);
  }
  void assigned(const clang::Expr* to, const clang::Expr& value) {
    const clang::FieldDecl* part = field_of(to);
    followed_.insert(strip(to));
    const auto* own = llvm::dyn_cast_or_null<clang::FieldDecl>(root_of(to));
    if (own != nullptr) put(*own, value);
    // A part of its own field, or a field of another object.
    if (part != nullptr && part != own && is_flag(*part)) put(*part, value);
  }
  void put(const clang::FieldDecl& field, const clang::Expr& value) {
    if (types_.of(field.getType()).role == Role::kNone)
      found_.push_back({&field, given_value(value, function_, kept_)});
  }

  const clang::FunctionDecl& function_;
  Types& types_;
  KeptVariables kept_;
  std::vector<GivenField> found_;
  llvm::SmallVector<const clang::MemberExpr*, 8> members_;
  llvm::DenseSet<const clang::Expr*> followed_;  ///< read, or assigned to
};

}  // namespace

std::vector<GivenField> settings_of(const clang::FunctionDecl& function, Types& types) {
  SettingScan scan(function, types);
  scan.TraverseDecl(const_cast<clang::FunctionDecl*>(&function));
  return scan.take();
}

}  // namespace xfer::analyzer
