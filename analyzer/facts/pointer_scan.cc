// Walks over a body once, for pointers into memory: the local variables that hold one, the results
// of transfers that one keeps, the memory that is only read through one.

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/StringSet.h>

#include "analyzer/facts/reader.h"
#include "analyzer/facts/spin_loops.h"

namespace xfer::analyzer {
namespace {

bool is_named(const clang::FunctionDecl* callee, const llvm::StringSet<>& names) {
  return callee != nullptr && callee->isInStdNamespace() && callee->getIdentifier() != nullptr &&
         names.contains(callee->getName());
}

/// An algorithm of the standard library that changes nothing in the ranges that it is given, and
/// hands out nothing of them.
bool only_reads_ranges(const clang::FunctionDecl* callee) {
  static const llvm::StringSet<> names = {
      "accumulate", "all_of",   "any_of",          "binary_search", "count",
      "count_if",   "distance", "equal",           "inner_product", "is_sorted",
      "none_of",    "reduce",   "transform_reduce"};
  return is_named(callee, names);
}

/// One that returns where in them it is.
bool finds_in_ranges(const clang::FunctionDecl* callee) {
  static const llvm::StringSet<> names = {"find",        "find_if",     "lower_bound",
                                          "max_element", "min_element", "upper_bound"};
  return is_named(callee, names);
}

/// The variable that an argument is, or is a copy of.
const clang::VarDecl* variable_given(const clang::Expr* argument) {
  const clang::Expr* bare = strip(argument);
  const auto* copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(bare);
  const bool copies = copy != nullptr && copy->getNumArgs() == 1 &&
                      copy->getConstructor()->isCopyOrMoveConstructor();
  return variable_named(copies ? copy->getArg(0) : bare);
}

class PointerVisitor : public clang::DynamicRecursiveASTVisitor {
 public:
  PointerVisitor(PointerScan& scan, const ModelSet& models, Types& types)
      : scan_(scan), models_(models), types_(types) {}

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() == nullptr) return true;
    given(variable, variable->getInit(), variable->getType());
    const auto* call = llvm::dyn_cast<clang::CallExpr>(strip(variable->getInit()));
    if (call != nullptr && finds_in_ranges(call->getDirectCallee())) found_[variable] = call;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* named) override {
    ++uses_[variable_named(named)];
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    if (expr->getOpcode() == clang::BO_Assign && expr->getLHS()->getType()->isPointerType())
      given(local_pointer(strip(expr->getLHS())), expr->getRHS(), expr->getLHS()->getType());
    if (expr->getOpcode() == clang::BO_Sub || expr->isComparisonOp())
      for (const clang::Expr* side : {expr->getLHS(), expr->getRHS()})
        ++looks_[variable_named(side)];
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* leave) override {
    if (leave->getRetValue() != nullptr)
      given(nullptr, leave->getRetValue(), leave->getRetValue()->getType());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* expr) override {
    if (expr->getOpcode() != clang::UO_AddrOf) return true;
    const clang::Expr* inner = strip(expr->getSubExpr());
    scan_.not_followed.insert(inner);
    only_addressed(*inner);
    if (const clang::VarDecl* variable = local_pointer(inner)) scan_.shared.insert(variable);
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    subscripted_.insert(element->getBase());
    return true;
  }
  /// `for (float v : list)`
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    const clang::VarDecl* element = loop->getLoopVariable();
    if (element == nullptr || is_mutable_reference(element->getType())) return true;
    for (const clang::DeclStmt* statement : {loop->getBeginStmt(), loop->getEndStmt()})
      if (const auto* range = statement == nullptr
                                  ? nullptr
                                  : llvm::dyn_cast<clang::VarDecl>(statement->getSingleDecl());
          range != nullptr && range->getInit() != nullptr)
        scan_.only_read.insert(strip(range->getInit()));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* expr) override {
    const clang::FunctionDecl* callee = expr->getDirectCallee();
    const auto* compared = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
    const bool compares = compared != nullptr && (compared->isComparisonOp() ||
                                                  compared->getOperator() == clang::OO_Minus);
    if (compares || only_reads_ranges(callee)) {
      note_read(*expr);
      for (const clang::Expr* argument : expr->arguments()) ++looks_[variable_given(argument)];
    }
    if (callee == nullptr || llvm::isa<clang::CXXOperatorCallExpr>(expr)) return true;
    for (unsigned index = 0; index < expr->getNumArgs() && index < callee->getNumParams();
         ++index) {
      const clang::QualType type = callee->getParamDecl(index)->getType();
      if (!type->isLValueReferenceType() || type->getPointeeType().isConstQualified()) continue;
      if (const clang::VarDecl* variable = local_pointer(strip(expr->getArg(index))))
        scan_.shared.insert(variable);
    }
    return true;
  }
  /// `p[i].x` as a value.
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay && !subscripted_.contains(cast))
      only_addressed(*strip(cast->getSubExpr()));
    if (!only_looks(*cast)) return true;
    if (const clang::Expr* pointer = pointed_to(*cast->getSubExpr()))
      ++looks_[variable_named(pointer)];
    // `*std::max_element(begin, end)` as a value.
    if (const auto* found =
            llvm::dyn_cast_or_null<clang::CallExpr>(pointed_to(*cast->getSubExpr()));
        found != nullptr && finds_in_ranges(found->getDirectCallee()))
      note_read(*found);
    for (const clang::Expr* at = strip(cast->getSubExpr()); at != nullptr;) {
      scan_.only_read.insert(at);
      const auto* member = llvm::dyn_cast<clang::MemberExpr>(at);
      at = member == nullptr || member->isArrow() ? nullptr : strip(member->getBase());
    }
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
        scan_.shared.insert(llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()));
    return true;
  }

  void finish() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [to, from] : copies_)
        if (scan_.variables.contains(from)) changed |= scan_.variables.insert(to).second;
    }
    for (const clang::VarDecl* variable : scan_.shared) scan_.variables.erase(variable);
    for (const auto& [variable, call] : found_)
      if (uses_.lookup(variable) == looks_.lookup(variable)) note_read(*call);
  }

 private:
  /// Of what the expression is a part of, too, only the address is computed: `p[i]` in `&p[i].x`.
  void only_addressed(const clang::Expr& expr) {
    const clang::Expr* whole = nullptr;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&expr); member && !member->isArrow())
      whole = strip(member->getBase());
    else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&expr))
      whole = strip(element->getBase());
    const bool pointer = whole != nullptr && whole->getType()->isPointerType();
    if (whole == nullptr || pointer || llvm::isa<clang::DeclRefExpr>(whole)) return;
    scan_.not_followed.insert(whole);
    only_addressed(*whole);
  }
  void note_read(const clang::CallExpr& call) {
    for (const clang::Expr* argument : call.arguments()) scan_.only_read.insert(strip(argument));
  }
  /// `p` of `*p`; null: it is no such expression.
  static const clang::Expr* pointed_to(const clang::Expr& expr) {
    const clang::Expr* bare = strip(&expr);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare);
        unary != nullptr && unary->getOpcode() == clang::UO_Deref)
      return strip(unary->getSubExpr());
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(bare);
    return call != nullptr && call->getOperator() == clang::OO_Star ? strip(call->getArg(0))
                                                                    : nullptr;
  }
  void given(const clang::VarDecl* to, const clang::Expr* from, clang::QualType type) {
    const clang::Expr* base = pointer_base(from);
    if (const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(base)) {
      const FunctionModel* model = model_of(*call, types_);
      if (model == nullptr || model->points_into == PointsInto::kNone) return;
      const bool pointer = base->getType()->isPointerType() && type->isPointerType();
      const bool shape = model->points_into == PointsInto::kShape &&
                         type.getCanonicalType().getUnqualifiedType() ==
                             base->getType().getCanonicalType().getUnqualifiedType();
      if (pointer || shape) scan_.kept.insert(call);
      if (pointer && to != nullptr && to->isLocalVarDecl() && !to->isStaticLocal())
        scan_.variables.insert(to);
    } else if (const clang::VarDecl* other = local_pointer(base);
               other != nullptr && to != nullptr) {
      if (to->isLocalVarDecl() && !to->isStaticLocal() && to->getType()->isPointerType())
        copies_.emplace_back(to, other);
    }
  }

  PointerScan& scan_;
  const ModelSet& models_;
  Types& types_;
  std::vector<std::pair<const clang::VarDecl*, const clang::VarDecl*>> copies_;
  /// `auto best = std::max_element(begin, end)`: nothing is written by such a variable if each of
  /// its uses looks at it, or at what it points to.
  llvm::DenseMap<const clang::VarDecl*, const clang::CallExpr*> found_;
  llvm::DenseMap<const clang::VarDecl*, unsigned> uses_, looks_;
  llvm::DenseSet<const clang::Expr*> subscripted_;  ///< `a` of `a[i]`
};

}  // namespace

const clang::VarDecl* local_pointer(const clang::Expr* expr) {
  const auto* reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(expr);
  const auto* variable =
      reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  const bool local = variable != nullptr && variable->isLocalVarDecl() &&
                     !variable->isStaticLocal() && variable->getType()->isPointerType();
  return local ? variable : nullptr;
}

PointerScan scan_pointers(const clang::Stmt& body, const ModelSet& models, Types& types) {
  PointerScan scan;
  if (types.follows_memory()) scan.spun_on = spun_on(body);
  PointerVisitor visitor(scan, models, types);
  visitor.TraverseStmt(const_cast<clang::Stmt*>(&body));
  visitor.finish();
  return scan;
}

}  // namespace xfer::analyzer
