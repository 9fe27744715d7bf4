#include "analyzer/facts/device_flags.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include <functional>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// The text that a call is given to look something up by; empty: it is given none.
class LookedUp : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitStringLiteral(clang::StringLiteral* literal) override {
    if (literal->getCharByteWidth() == 1) text = literal->getString().str();
    return text.empty();
  }
  std::string text;
};

/// Calls `on` with the flags that a condition names.
class FlagNames : public clang::DynamicRecursiveASTVisitor {
 public:
  using Found = std::function<void(const clang::ValueDecl&, const std::string&)>;
  explicit FlagNames(Found on) : on_(std::move(on)) {}

  bool TraverseCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
    // `mode == "cuda"` looks nothing up.
    if (call->getOperator() != clang::OO_Subscript)
      return clang::DynamicRecursiveASTVisitor::TraverseCXXOperatorCallExpr(call);
    return looked_up(*call, [&] {
      return clang::DynamicRecursiveASTVisitor::TraverseCXXOperatorCallExpr(call);
    });
  }
  bool TraverseCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    return looked_up(
        *call, [&] { return clang::DynamicRecursiveASTVisitor::TraverseCXXMemberCallExpr(call); });
  }
  bool TraverseCallExpr(clang::CallExpr* call) override {
    return looked_up(*call,
                     [&] { return clang::DynamicRecursiveASTVisitor::TraverseCallExpr(call); });
  }
  bool TraverseMemberExpr(clang::MemberExpr* member) override {
    if (!llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
      return clang::DynamicRecursiveASTVisitor::TraverseMemberExpr(member);
    on_(*member->getMemberDecl(), entry_);
    // `options.use_gpu` is one of the options.
    const clang::Expr* base = strip(member->getBase());
    return llvm::isa_and_nonnull<clang::DeclRefExpr, clang::CXXThisExpr>(base) ||
           TraverseStmt(member->getBase());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    const clang::ValueDecl* decl = expr->getDecl();
    if (llvm::isa<clang::VarDecl, clang::BindingDecl>(decl) &&
        !decl->getType().isConstant(decl->getASTContext()))
      on_(*decl, entry_);
    return true;
  }

 private:
  bool looked_up(const clang::CallExpr& call, const std::function<bool()>& traverse) {
    LookedUp by;
    for (const clang::Expr* argument : call.arguments())
      by.TraverseStmt(const_cast<clang::Expr*>(argument));
    const std::string outer = entry_;
    if (!by.text.empty()) entry_ = by.text;
    const bool on = traverse();
    entry_ = outer;
    return on;
  }

  Found on_;
  std::string entry_;
};

}  // namespace

void DeviceFlags::add_named(const clang::Stmt& condition) {
  FlagNames([&](const clang::ValueDecl& decl, const std::string& entry) {
    flags_.insert({&decl, entry});
  }).TraverseStmt(const_cast<clang::Stmt*>(&condition));
}

bool DeviceFlags::named_in(const clang::Stmt& condition) const {
  bool found = false;
  FlagNames([&](const clang::ValueDecl& decl, const std::string& entry) {
    found |= contains({&decl, entry});
  }).TraverseStmt(const_cast<clang::Stmt*>(&condition));
  return found;
}

bool DeviceFlags::contains(const Flag& flag) const {
  if (flags_.contains(flag) || flags_.contains({flag.first, {}})) return true;
  // All of it has what any entry has.
  const auto some = flags_.lower_bound({flag.first, {}});
  return flag.second.empty() && some != flags_.end() && some->first == flag.first;
}

}  // namespace xfer::analyzer
