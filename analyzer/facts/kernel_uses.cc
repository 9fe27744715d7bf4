#include "analyzer/facts/kernel_uses.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include <vector>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// Calls below the kernel that are looked into.
constexpr unsigned kDeepestCall = 3;

/// `p` of `p[i]`, `*p`, `p->x`, `p[i].x[2]`; null: it is none of these.
const clang::Expr* pointer_through(const clang::Expr& expr) {
  for (const clang::Expr* at = strip(&expr);;) {
    const clang::Expr* inner = nullptr;
    bool through = true;
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
      inner = strip(subscript->getBase());
      through = inner->getType()->isArrayType();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at);
               unary != nullptr && unary->getOpcode() == clang::UO_Deref) {
      inner = strip(unary->getSubExpr());
      through = false;
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
      inner = strip(member->getBase());
      through = !member->isArrow();
    }
    if (inner == nullptr || !through) return inner;
    at = inner;
  }
}

/// The uses of pointers of which nothing but the data is read.
class ReadUses : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit ReadUses(unsigned depth) : depth_(depth) {}

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (!only_looks(*cast)) return true;
    if (const clang::Expr* pointer = pointer_through(*cast->getSubExpr())) note(pointer, read_);
    return true;
  }
  /// `p[i] = x`
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    if (expr->getOpcode() != clang::BO_Assign) return true;
    if (const clang::Expr* pointer = pointer_through(*expr->getLHS())) note(pointer, written_);
    return true;
  }
  /// `p[i] += x`
  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator* expr) override {
    return change(*expr->getLHS());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* expr) override {
    return !expr->isIncrementDecrementOp() || change(*expr->getSubExpr());
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    // `p[i] = x`, `p[i] += x` of a class: half, complex
    if (const auto* changed = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
      if (changed->getOperator() != clang::OO_Equal)
        return !changed->isAssignmentOp() || change(*changed->getArg(0));
      if (const clang::Expr* pointer = pointer_through(*changed->getArg(0)))
        note(pointer, written_);
      return true;
    }
    if (callee == nullptr) return true;
    if (is_atomic(*callee) && call->getNumArgs() > 0) return change_through(call->getArg(0));
    for (unsigned index = 0; index < call->getNumArgs() && index < callee->getNumParams();
         ++index) {
      if (!call->getArg(index)->getType()->isPointerType() || depth_ == 0) continue;
      const auto [only_reads, writes] = within(*callee, index);
      if (only_reads) note(call->getArg(index), read_);
      if (writes) note(call->getArg(index), written_);
    }
    return true;
  }
  /// `const float* row = p + i * n`
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (!variable->getType()->isPointerType() || variable->getInit() == nullptr) return true;
    if (variable->getType()->getPointeeType().isConstQualified())
      note(variable->getInit(), read_);
    else if (const clang::DeclRefExpr* from = base(variable->getInit()))
      taken_[variable].push_back(from);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    if (const clang::VarDecl* variable = variable_named(expr);
        variable != nullptr && variable->getType()->isPointerType())
      uses_[variable].push_back(expr);
    return true;
  }

  /// `(char*)p` where p points to const.
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr* cast) override {
    const clang::QualType to = cast->getType();
    if (!to->isPointerType() || to->getPointeeType().isConstQualified()) return true;
    if (const clang::DeclRefExpr* from = base(cast->getSubExpr()))
      writable_.insert(from->getDecl());
    return true;
  }
  /// A parameter of the function that was walked.
  bool only_reads(const clang::ParmVarDecl& pointer) const;
  bool writes(const clang::VarDecl& pointer, unsigned depth = 4) const {
    return depth > 0 && llvm::any_of(uses_.lookup(&pointer), [&](const clang::DeclRefExpr* use) {
             const clang::VarDecl* given = gives_to(*use);
             return written_.contains(use) || (given != nullptr && writes(*given, depth - 1));
           });
  }
  /// The use looks at what is there before it, or before any other, writes there.
  bool looks(const clang::DeclRefExpr& use) const {
    return read_.contains(&use) || changed_.contains(&use);
  }
  /// The use gives the pointer to a variable of its own, and does nothing else.
  const clang::VarDecl* gives_to(const clang::DeclRefExpr& use) const {
    for (const auto& [variable, from] : taken_)
      if (llvm::is_contained(from, &use)) return variable;
    return nullptr;
  }

 private:
  bool only_read(const clang::VarDecl& variable, unsigned depth = 4) const {
    // What it never names it does not read either.
    return depth > 0 && uses_.count(&variable) != 0 &&
           llvm::all_of(uses_.lookup(&variable), [&](const clang::DeclRefExpr* use) {
             if (read_.contains(use)) return true;
             return llvm::any_of(taken_, [&](const auto& taken) {
               return llvm::is_contained(taken.second, use) && only_read(*taken.first, depth - 1);
             });
           });
  }
  struct Effect {
    bool only_reads = false, writes = false;
  };
  /// Of a function that is called, to what this parameter points to.
  Effect within(const clang::FunctionDecl& callee, unsigned index) const;
  /// CUDA's functions: they read and write what they are given first.
  static bool is_atomic(const clang::FunctionDecl& callee) {
    return callee.getIdentifier() != nullptr && callee.getName().starts_with("atomic") &&
           callee.getNumParams() > 0 && callee.getParamDecl(0)->getType()->isPointerType();
  }
  bool change(const clang::Expr& expr) {
    const clang::Expr* pointer = pointer_through(expr);
    return pointer == nullptr || change_through(pointer);
  }
  bool change_through(const clang::Expr* pointer) {
    note(pointer, changed_);
    note(pointer, written_);
    return true;
  }
  static const clang::DeclRefExpr* base(const clang::Expr* expr) {
    for (;;) {
      expr = without_casts(expr);
      const auto* binary = llvm::dyn_cast_or_null<clang::BinaryOperator>(expr);
      const auto* unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(expr);
      if (binary != nullptr && binary->isAdditiveOp()) {
        expr = binary->getLHS()->getType()->isPointerType() ? binary->getLHS() : binary->getRHS();
      } else if (unary != nullptr && unary->getOpcode() == clang::UO_AddrOf) {
        const auto* subscript =
            llvm::dyn_cast<clang::ArraySubscriptExpr>(strip(unary->getSubExpr()));
        if (subscript == nullptr) return nullptr;
        expr = subscript->getBase();
      } else {
        return llvm::dyn_cast_or_null<clang::DeclRefExpr>(expr);
      }
    }
  }
  using Uses = llvm::DenseSet<const clang::DeclRefExpr*>;
  static void note(const clang::Expr* pointer, Uses& among) {
    if (const clang::DeclRefExpr* from = base(pointer)) among.insert(from);
  }

  const unsigned depth_;
  llvm::DenseSet<const clang::ValueDecl*> writable_;
  Uses read_, written_;
  Uses changed_;  ///< made of what is there
  llvm::DenseMap<const clang::VarDecl*, std::vector<const clang::DeclRefExpr*>> uses_, taken_;
};

/// The uses of variables in the order in which they come about.
class UseOrder : public clang::DynamicRecursiveASTVisitor {
 public:
  struct Use {
    const clang::DeclRefExpr* expr;
    bool optional;  ///< whether it comes about is a setting's: `if (accumulate)`
    bool scaled;    ///< by a setting, which may be 0: `beta * p[i]`
  };

  bool TraverseBinaryOperator(clang::BinaryOperator* expr) override {
    const bool scaled = expr->getOpcode() == clang::BO_Mul &&
                        (is_setting(*expr->getLHS()) || is_setting(*expr->getRHS()));
    const bool second_first = expr->isAssignmentOp();
    return within(scaled_, scaled, [&] {
      return TraverseStmt(second_first ? expr->getRHS() : expr->getLHS()) &&
             TraverseStmt(second_first ? expr->getLHS() : expr->getRHS());
    });
  }
  bool TraverseIfStmt(clang::IfStmt* choice) override {
    return within(optional_, rests_on_settings(*choice->getCond()),
                  [&] { return clang::DynamicRecursiveASTVisitor::TraverseIfStmt(choice); });
  }
  bool TraverseConditionalOperator(clang::ConditionalOperator* choice) override {
    return within(optional_, rests_on_settings(*choice->getCond()), [&] {
      return clang::DynamicRecursiveASTVisitor::TraverseConditionalOperator(choice);
    });
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    uses_.push_back({expr, optional_ > 0, scaled_ > 0});
    return true;
  }

  const std::vector<Use>& uses() const { return uses_; }

 private:
  /// Counts, while it walks, one more of what it is within.
  template <class Walk>
  static bool within(int& depth, bool counts, const Walk& walk) {
    depth += counts ? 1 : 0;
    const bool all = walk();
    depth -= counts ? 1 : 0;
    return all;
  }
  /// A number that the call gives.
  static bool is_setting(const clang::Expr& expr) {
    const clang::VarDecl* variable = variable_named(without_casts(&expr));
    return llvm::isa_and_nonnull<clang::ParmVarDecl>(variable) &&
           variable->getType()->isArithmeticType();
  }
  static bool rests_on_settings(const clang::Stmt& condition) {
    if (const auto* expr = llvm::dyn_cast<clang::Expr>(&condition);
        expr != nullptr && llvm::isa<clang::DeclRefExpr>(strip(expr)))
      return is_setting(*expr);
    return llvm::isa<clang::Expr>(condition) &&
           llvm::all_of(condition.children(), [](const clang::Stmt* child) {
             return child == nullptr || rests_on_settings(*child);
           });
  }

  std::vector<Use> uses_;
  int optional_ = 0;
  int scaled_ = 0;
};

bool is_constant(const clang::ParmVarDecl& pointer) {
  return pointer.getType()->getPointeeType().isConstQualified();
}

/// `uses` and `order` are those of the pointer's function.
bool reads_first(const clang::ParmVarDecl& pointer, const ReadUses& uses, const UseOrder& order) {
  // By a volatile pointer threads tell each other what they have written.
  if (pointer.getType()->getPointeeType().isVolatileQualified()) return false;
  llvm::DenseSet<const clang::ValueDecl*> pointers = {&pointer};
  for (const UseOrder::Use& use : order.uses()) {
    if (!pointers.contains(use.expr->getDecl())) continue;
    if (const clang::VarDecl* given = uses.gives_to(*use.expr))
      pointers.insert(given);
    else
      return !use.optional && (is_constant(pointer) || !use.scaled) && uses.looks(*use.expr);
  }
  return false;
}

bool ReadUses::only_reads(const clang::ParmVarDecl& pointer) const {
  return is_constant(pointer) ? !writable_.contains(&pointer) : only_read(pointer);
}

ReadUses::Effect ReadUses::within(const clang::FunctionDecl& callee, unsigned index) const {
  const clang::ParmVarDecl& parameter = *callee.getParamDecl(index);
  if (!parameter.getType()->isPointerType()) return {};
  const clang::FunctionDecl* definition = nullptr;
  if (!callee.hasBody(definition)) return {is_constant(parameter), false};
  ReadUses uses(depth_ - 1);
  uses.TraverseStmt(definition->getBody());
  const clang::ParmVarDecl& defined = *definition->getParamDecl(index);
  return {uses.only_reads(defined), uses.writes(defined)};
}

}  // namespace

std::vector<PointerUse> pointer_uses(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* definition = nullptr;
  ReadUses uses(kDeepestCall);
  UseOrder order;
  if (function.hasBody(definition)) {
    uses.TraverseStmt(definition->getBody());
    order.TraverseStmt(definition->getBody());
  }
  std::vector<PointerUse> result(function.getNumParams());
  for (unsigned index = 0; index < result.size(); ++index) {
    const clang::ParmVarDecl& declared = *function.getParamDecl(index);
    if (!declared.getType()->isPointerType()) continue;
    if (definition == nullptr) {
      result[index] = {is_constant(declared), false, is_constant(declared)};
      continue;
    }
    const clang::ParmVarDecl& pointer = *definition->getParamDecl(index);
    result[index] = {uses.only_reads(pointer), uses.writes(pointer),
                     reads_first(pointer, uses, order)};
  }
  return result;
}

}  // namespace xfer::analyzer
