#include "analyzer/facts/given_values.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Analysis/Analyses/ExprMutationAnalyzer.h>

#include <optional>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

bool is_local(const clang::VarDecl& variable, const clang::DeclContext& giver) {
  return variable.isLocalVarDecl() && variable.getDeclContext() == &giver;
}

bool keeps(const clang::VarDecl& variable, const clang::DeclContext& giver, KeptVariables& kept) {
  const auto [entry, added] = kept.try_emplace(&variable, false);
  if (added) entry->second = keeps_its_value(variable, giver);
  return entry->second;
}

/// Finds the inputs on which an expression that `giver` gives rests.
class ValueScan : public clang::DynamicRecursiveASTVisitor {
 public:
  ValueScan(const clang::DeclContext& giver, GivenValue& given, KeptVariables& kept, unsigned depth)
      : giver_(giver), given_(given), kept_(kept), depth_(depth) {}

  bool VisitCallExpr(clang::CallExpr* call) override {
    if (!llvm::isa<clang::CXXOperatorCallExpr>(call)) given_.settled = false;
    return true;
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr*) override {
    given_.settled = false;
    given_.rests_on.add_parameter(kThisParameter);
    return true;
  }
  bool TraverseMemberExpr(clang::MemberExpr* expr) override {
    const clang::FieldDecl* field = own_field(*expr);
    if (field == nullptr) return clang::DynamicRecursiveASTVisitor::TraverseMemberExpr(expr);
    given_.settled = false;
    given_.rests_on.add_field(field->getNameAsString());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(expr->getDecl())) {
      given_.settled = false;
      if (parameter->getDeclContext() == &giver_)
        given_.rests_on.add_parameter(parameter->getFunctionScopeIndex());
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(expr->getDecl())) {
      see(*variable);
    } else if (llvm::isa<clang::BindingDecl>(expr->getDecl())) {
      given_.settled = false;
    }
    return true;
  }

 private:
  void see(const clang::VarDecl& variable) {
    const clang::ASTContext& context = variable.getASTContext();
    const bool constant = variable.getType().isConstant(context);
    // A constant may be made of itself.
    if (depth_ == 0 || (!constant && !is_local(variable, giver_))) {
      given_.settled = false;
      return;
    }
    if (variable.getInit() != nullptr)
      ValueScan(giver_, given_, kept_, depth_ - 1)
          .TraverseStmt(const_cast<clang::Expr*>(variable.getInit()));
    // A record's fields are taken for settled where the function made it: who sets them, and to
    // what, is not followed.
    if (!constant && !variable.getType()->isRecordType() && !keeps(variable, giver_, kept_))
      given_.settled = false;
  }
  const clang::DeclContext& giver_;
  GivenValue& given_;
  KeptVariables& kept_;
  unsigned depth_;
};

/// A number or a flag; none: the run says it, or it is no such. Of a number that is no integer
/// whether it is one beside zero.
std::optional<std::int64_t> number_of(const clang::Expr& expr, const clang::DeclContext& giver,
                                      KeptVariables& kept) {
  const clang::Expr* bare = strip(&expr);
  if (bare == nullptr || bare->isValueDependent() || !bare->getType()->isArithmeticType())
    return std::nullopt;
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(bare))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl()))
      if (variable->getInit() != nullptr && keeps(*variable, giver, kept))
        bare = variable->getInit();
  const clang::ASTContext& context = giver.getParentASTContext();
  clang::Expr::EvalResult result;
  if (bare->getType()->isIntegralOrEnumerationType() && bare->EvaluateAsInt(result, context) &&
      result.Val.getInt().isRepresentableByInt64())
    return result.Val.getInt().getExtValue();
  bool truth = false;
  if (!bare->EvaluateAsBooleanCondition(truth, context)) return std::nullopt;
  return truth ? 1 : 0;
}

}  // namespace

bool keeps_its_value(const clang::VarDecl& variable, const clang::DeclContext& giver) {
  return is_local(variable, giver) &&
         !clang::ExprMutationAnalyzer(*llvm::cast<clang::FunctionDecl>(giver).getBody(),
                                      giver.getParentASTContext())
              .isMutated(&variable);
}

GivenValue given_value(const clang::Expr& expr, const clang::DeclContext& giver,
                       KeptVariables& kept) {
  GivenValue given;
  given.settled = true;
  ValueScan(giver, given, kept, 3).TraverseStmt(const_cast<clang::Expr*>(&expr));
  if (given.settled) given.number = number_of(expr, giver, kept);
  given.as_is =
      llvm::isa_and_nonnull<clang::ParmVarDecl, clang::FieldDecl>(variable_or_field(expr));
  return given;
}

GivenValue given_argument(const clang::Expr& call, std::uint32_t parameter,
                          const clang::DeclContext& giver, KeptVariables& kept) {
  const clang::Expr* argument = argument_of(call, parameter);
  const auto* left_out = llvm::dyn_cast_or_null<clang::CXXDefaultArgExpr>(argument);
  if (argument != nullptr && left_out == nullptr) return given_value(*argument, giver, kept);
  GivenValue by_default;
  by_default.settled = true;
  if (left_out != nullptr) by_default.number = number_of(*left_out->getExpr(), giver, kept);
  return by_default;
}

}  // namespace xfer::analyzer
