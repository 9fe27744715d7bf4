#include "analyzer/facts/picks.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Analysis/Analyses/ExprMutationAnalyzer.h>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/reader.h"
#include "analyzer/facts/written_devices.h"

namespace xfer::analyzer {
namespace {

/// The kinds of device that code names, and whether it may give one that it does not name.
class NamedKinds : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit NamedKinds(Types& types) : types_(types) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    // `torch::kCUDA` is of an enumeration; a variable that is a device is assigned.
    const auto* type = expr->getType()->getAs<clang::EnumType>();
    if (type == nullptr || types_.of(expr->getType()).role != Role::kDevice) return true;
    clang::Expr::EvalResult named;
    if (!expr->EvaluateAsInt(named, expr->getDecl()->getASTContext())) return other();
    const Device device = enumerated_device(*type, named.Val.getInt(), types_.models());
    if (device.is_cpu())
      cpu_ = true;
    else if (device.is_cuda())
      cuda_ = true;
    else
      return other();
    return true;
  }
  /// Of a text.
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    if (types_.of(made->getType()).role == Role::kDevice)
      for (const clang::Expr* argument : made->arguments())
        if (types_.of(argument->getType()).role == Role::kNone &&
            !argument->getType()->isIntegralOrEnumerationType())
          return other();
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const bool assigned = llvm::isa<clang::CXXOperatorCallExpr>(call);
    if (!assigned && types_.of(call->getType()).role == Role::kDevice) return other();
    return true;
  }

  Pick::Side side() const {
    if (other_ || cpu_ == cuda_) return Pick::Side::kUnknown;
    return cuda_ ? Pick::Side::kCuda : Pick::Side::kCpu;
  }

 private:
  bool other() {
    other_ = true;
    return true;
  }
  Types& types_;
  bool cpu_ = false, cuda_ = false, other_ = false;
};

std::optional<Test::Kind> kind_of(clang::BinaryOperatorKind kind) {
  switch (kind) {
    case clang::BO_EQ: return Test::Kind::kEqual;
    case clang::BO_NE: return Test::Kind::kUnequal;
    case clang::BO_LT: return Test::Kind::kLess;
    case clang::BO_LE: return Test::Kind::kMost;
    case clang::BO_GT: return Test::Kind::kGreater;
    case clang::BO_GE: return Test::Kind::kLeast;
    default: return std::nullopt;
  }
}

/// A parameter or a field that is a number or a flag, and that the function leaves as it is.
bool is_given(const clang::Expr& expr, const clang::FunctionDecl& function) {
  if (!expr.getType()->isIntegralOrEnumerationType()) return false;
  const clang::ValueDecl* named = variable_or_field(expr);
  if (llvm::isa_and_nonnull<clang::FieldDecl>(named)) return true;
  return llvm::isa_and_nonnull<clang::ParmVarDecl>(named) &&
         !clang::ExprMutationAnalyzer(*function.getBody(), function.getASTContext())
              .isMutated(llvm::cast<clang::VarDecl>(named));
}

/// `flag`, `number < constant`.
std::optional<Test> test_of(const clang::Expr& condition, const clang::FunctionDecl& function) {
  const clang::ASTContext& context = function.getASTContext();
  const clang::Expr* bare = strip(&condition);
  if (bare == nullptr) return std::nullopt;
  if (is_given(*bare, function)) return Test{};
  const auto* compared = llvm::dyn_cast<clang::BinaryOperator>(bare);
  if (compared == nullptr || !is_given(*strip(compared->getLHS()), function)) return std::nullopt;
  const std::optional<Test::Kind> kind = kind_of(compared->getOpcode());
  clang::Expr::EvalResult with;
  if (!kind || compared->getRHS()->isValueDependent() ||
      !compared->getRHS()->EvaluateAsInt(with, context) ||
      !with.Val.getInt().isRepresentableByInt64())
    return std::nullopt;
  return Test{*kind, with.Val.getInt().getExtValue()};
}

class PickScan : public clang::DynamicRecursiveASTVisitor {
 public:
  PickScan(const clang::FunctionDecl& function, Types& types)
      : function_(function), types_(types) {}

  bool VisitConditionalOperator(clang::ConditionalOperator* choice) override {
    const Role role = types_.of(choice->getType()).role;
    if (role == Role::kDevice || role == Role::kOptions)
      add(*choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr());
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* branch) override {
    const auto gives = [&](const clang::Stmt* part) {
      return part != nullptr && assigns_device(*part, types_);
    };
    if (branch->getCond() != nullptr && (gives(branch->getThen()) || gives(branch->getElse())))
      add(*branch->getCond(), branch->getThen(), branch->getElse());
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt* branch) override {
    choices_ += assigns_device(*branch->getBody(), types_) ? 2 : 0;
    return true;
  }

  std::optional<Pick> take() const { return choices_ == 1 ? pick_ : std::nullopt; }

 private:
  void add(const clang::Expr& condition, const clang::Stmt* yes, const clang::Stmt* no) {
    ++choices_;
    const clang::Expr* bare = strip(&condition);
    const auto* negation = llvm::dyn_cast_or_null<clang::UnaryOperator>(bare);
    const bool negated = negation != nullptr && negation->getOpcode() == clang::UO_LNot;
    const std::optional<Test> test =
        test_of(negated ? *negation->getSubExpr() : condition, function_);
    if (!test) return;
    pick_ = Pick{*test, side(negated ? no : yes), side(negated ? yes : no)};
  }
  Pick::Side side(const clang::Stmt* part) const {
    if (part == nullptr) return Pick::Side::kUnknown;
    NamedKinds kinds(types_);
    kinds.TraverseStmt(const_cast<clang::Stmt*>(part));
    return kinds.side();
  }

  const clang::FunctionDecl& function_;
  Types& types_;
  unsigned choices_ = 0;
  std::optional<Pick> pick_;
};

}  // namespace

std::optional<Pick> pick_of(const clang::FunctionDecl& function, Types& types) {
  if (!function.hasBody()) return std::nullopt;
  PickScan scan(function, types);
  scan.TraverseDecl(const_cast<clang::FunctionDecl*>(&function));
  return scan.take();
}

}  // namespace xfer::analyzer
