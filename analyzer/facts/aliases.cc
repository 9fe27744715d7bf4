// Variables that code changes by other names than their own: by references that may be one of
// several, by `std::ref`, through iterators. The flow cannot see that and does not follow them.

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

class OtherNames : public clang::DynamicRecursiveASTVisitor {
 public:
  OtherNames(llvm::DenseSet<const clang::Decl*>& changed, const Iterators& iterators, Types& types)
      : changed_(changed), iterators_(iterators), types_(types) {}

  /// `Tensor& r = c ? a : b`
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (is_mutable_reference(variable->getType()) && variable->getInit() != nullptr)
      if (const auto* choice =
              llvm::dyn_cast<clang::ConditionalOperator>(strip(variable->getInit()))) {
        add(choice->getTrueExpr());
        add(choice->getFalseExpr());
      }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const HandsOut what = handed_out(*call);
    if (!llvm::isa<clang::CXXMemberCallExpr>(call) && what != HandsOut::kNothing &&
        (what == HandsOut::kObject || !read_.contains(call)) && !iterators_.is_followed(*call))
      for (const clang::Expr* argument : call->arguments()) add(argument);
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    const FunctionModel* row = model_of(*call, types_);
    if (method == nullptr || row == nullptr) return true;
    // A container copies the elements between iterators that it is given; the positions where it
    // inserts or erases are its own.
    if (row->reads_ranges)
      for (const clang::Expr* argument : call->arguments()) read_.insert(strip(argument));
    const clang::Expr* owner = call->getImplicitObjectArgument();
    if (row->hands_out != HandsOut::kNothing && !method->isConst() && !read_.contains(call) &&
        !iterators_.is_followed(*call) && is_list(types_.of(owner->getType()).role))
      add(owner);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    for (const clang::Expr* argument : made->arguments()) read_.insert(strip(argument));
    return true;
  }

 private:
  HandsOut handed_out(const clang::CallExpr& call) {
    const FunctionModel* row = model_of(call, types_);
    return row == nullptr ? HandsOut::kNothing : row->hands_out;
  }
  void add(const clang::Expr* expr) {
    const clang::Decl* root = root_of(expr);
    const auto* value = llvm::dyn_cast_or_null<clang::ValueDecl>(root);
    if (value != nullptr && types_.of(value->getType()).role != Role::kModule)
      changed_.insert(root);
  }

  llvm::DenseSet<const clang::Decl*>& changed_;
  const Iterators& iterators_;
  Types& types_;
  llvm::DenseSet<const clang::Expr*> read_;  ///< iterators that are only read through
};

}  // namespace

void find_other_names(const clang::Stmt& body, const Iterators& iterators, Types& types,
                      llvm::DenseSet<const clang::Decl*>& changed) {
  OtherNames(changed, iterators, types).TraverseStmt(const_cast<clang::Stmt*>(&body));
}

/// A reference to a part: who assigns through it changes the whole.
void Reader::refer_to_part(const clang::ValueDecl& reference, PlaceId whole) {
  if (whole) element_of_[&reference] = whole;
}

/// `v[i]`, `v.at(i)`, `std::get<0>(t)`: the place of `v`, of `t`.
PlaceId Reader::whole_of(const clang::Expr* part) const {
  const clang::Expr* expr = strip(part);
  if (expr != nullptr)
    if (const clang::Expr* list = iterators_.list_of(*expr)) return place_of(list);
  if (const auto* subscript = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(expr))
    return place_of(subscript->getBase());
  const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(expr);
  const clang::Expr* subject = call == nullptr ? nullptr : subject_of(*call);
  return subject == nullptr ? PlaceId() : place_of(subject);
}

/// `v` of `v[i]` where that is a list, and not memory of plain values; null: it is none.
const clang::Expr* Reader::list_with(const clang::Expr& part) const {
  const clang::Expr* expr = strip(&part);
  const clang::Expr* list = nullptr;
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr))
    list = strip(subscript->getBase());
  else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr))
    list = call->getOperator() == clang::OO_Subscript ? call->getArg(0) : nullptr;
  return list != nullptr && is_list(types_.of(list->getType()).role) ? list : nullptr;
}

bool Reader::is_element(const clang::Expr& expr) const {
  const clang::Expr* part = strip(&expr);
  if (llvm::isa<clang::ArraySubscriptExpr>(part) || iterators_.list_of(*part) != nullptr)
    return true;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(part);
  const FunctionModel* model = call == nullptr ? nullptr : model_of(*call, types_);
  if (model != nullptr && model->kind == CallKind::kElement) return true;
  const auto* indexed = llvm::dyn_cast<clang::CXXOperatorCallExpr>(part);
  return indexed != nullptr && indexed->getOperator() == clang::OO_Subscript &&
         is_list(types_.of(indexed->getArg(0)->getType()).role);
}

void Reader::lose_whole(const clang::ValueDecl& part, const char* reason, const clang::Expr& at) {
  const auto whole = element_of_.find(&part);
  if (whole == element_of_.end()) return;
  lose(make(fact::Load{whole->second}, &at), reason, &at);
}

/// A call was handed references to parts, which it may have changed.
void Reader::lose_wholes(const Call& call, const clang::Expr& at) {
  const auto changed = [&](const Operand& operand) {
    if (operand.pass != Pass::kMutable || !operand.place) return;
    const clang::ValueDecl* decl = declared_[facts_.places[operand.place].root];
    if (decl != nullptr) lose_whole(*decl, "a call was given a reference to an element", at);
  };
  if (call.has_receiver && call.model == nullptr) changed(call.receiver);
  for (const Operand& operand : call.arguments) changed(operand);
}

}  // namespace xfer::analyzer
