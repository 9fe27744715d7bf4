#include "analyzer/facts/picks.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Analysis/Analyses/ExprMutationAnalyzer.h>

#include <utility>

#include "analyzer/facts/expr.h"
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

/// The parameter or field that an expression is, if it is a number or a flag and the function does
/// not change the parameter; else null.
const clang::ValueDecl* given_as(const clang::Expr& expr, const clang::FunctionDecl& function) {
  const clang::ValueDecl* named = variable_or_field(expr);
  if (named == nullptr || !expr.getType()->isIntegralOrEnumerationType()) return nullptr;
  if (llvm::isa<clang::FieldDecl>(named)) return named;
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(named);
  const bool kept = parameter != nullptr && parameter->getDeclContext() == &function &&
                    !clang::ExprMutationAnalyzer(*function.getBody(), function.getASTContext())
                         .isMutated(parameter);
  return kept ? named : nullptr;
}

struct Asked {
  const clang::ValueDecl* of = nullptr;
  Test test;
};

/// `flag`, `number < constant`; of nothing: it is neither.
Asked asked_by(const clang::Expr& condition, const clang::FunctionDecl& function) {
  const clang::Expr* bare = strip(&condition);
  if (bare == nullptr) return {};
  if (const clang::ValueDecl* flag = given_as(*bare, function)) return {flag, {}};
  const auto* compared = llvm::dyn_cast<clang::BinaryOperator>(bare);
  const std::optional<Test::Kind> kind =
      compared == nullptr ? std::nullopt : kind_of(compared->getOpcode());
  clang::Expr::EvalResult with;
  if (!kind || compared->getRHS()->isValueDependent() ||
      !compared->getRHS()->EvaluateAsInt(with, function.getASTContext()) ||
      !with.Val.getInt().isRepresentableByInt64())
    return {};
  return {given_as(*strip(compared->getLHS()), function), {*kind, with.Val.getInt().getExtValue()}};
}

Pick::Side side_of(const clang::Stmt* part, Types& types) {
  if (part == nullptr) return Pick::Side::kUnknown;
  NamedKinds kinds(types);
  kinds.TraverseStmt(const_cast<clang::Stmt*>(part));
  return kinds.side();
}

}  // namespace

void Picks::add(const clang::Expr& condition, const clang::Stmt* yes, const clang::Stmt* no) {
  ++choices_;
  if (!function_.hasBody()) return;
  const clang::Expr* bare = strip(&condition);
  const auto* negation = llvm::dyn_cast_or_null<clang::UnaryOperator>(bare);
  const bool negated = negation != nullptr && negation->getOpcode() == clang::UO_LNot;
  if (negated) std::swap(yes, no);
  const Asked asked = asked_by(negated ? *negation->getSubExpr() : condition, function_);
  asked_ = asked.of;
  pick_ = Pick{asked.test, side_of(yes, types_), side_of(no, types_)};
}

std::optional<Pick> Picks::take(const Deciders& deciding) const {
  if (choices_ != 1 || asked_ == nullptr) return std::nullopt;
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(asked_);
  const bool decides = parameter != nullptr
                           ? deciding.parameters.contains(parameter->getFunctionScopeIndex())
                           : deciding.fields.contains(asked_->getNameAsString());
  return decides ? std::optional(pick_) : std::nullopt;
}

}  // namespace xfer::analyzer
