#include "analyzer/facts/expected_failures.h"

#include "analyzer/facts/expr.h"
#include "analyzer/facts/failure_checks.h"
#include "analyzer/facts/values_given.h"

namespace xfer::analyzer {
namespace {

class ExpectedFailures : public ValuesGiven {
 public:
  /// What EXPECT_EQ(a, b) and its kin call: `CmpHelperEQ("a", "b", a, b)`.
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || callee->getIdentifier() == nullptr || call->getNumArgs() != 4)
      return true;
    const bool equal = callee->getName() == "Compare" || callee->getName() == "CmpHelperEQ";
    if (!equal && callee->getName() != "CmpHelperNE") return true;
    for (const auto& [status, wanted] : {std::pair{2U, 3U}, std::pair{3U, 2U}}) {
      const std::optional<bool> success = says_success(*strip(call->getArg(wanted)));
      if (success && *success != equal) expect(*strip(call->getArg(status)));
    }
    return true;
  }

  llvm::DenseSet<const clang::Expr*> found;

 private:
  void give(const clang::VarDecl& variable, const clang::Expr& value) override {
    held_[&variable] = llvm::dyn_cast<clang::CallExpr>(strip(&value));
  }
  void expect(const clang::Expr& status) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&status))
      found.insert(call);
    else if (const clang::Expr* held = held_.lookup(variable_named(&status)))
      found.insert(held);
  }

  llvm::DenseMap<const clang::VarDecl*, const clang::Expr*> held_;
};

}  // namespace

llvm::DenseSet<const clang::Expr*> expected_failures(const clang::Stmt& body) {
  ExpectedFailures failures;
  failures.TraverseStmt(const_cast<clang::Stmt*>(&body));
  return std::move(failures.found);
}

}  // namespace xfer::analyzer
