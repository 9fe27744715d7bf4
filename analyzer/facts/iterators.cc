#include "analyzer/facts/iterators.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMap.h>

#include <optional>
#include <vector>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/given_values.h"

namespace xfer::analyzer {
namespace {

/// The list that a call makes an iterator to: `v` of `v.begin()`, of `v.erase(it)`.
const clang::Expr* list_handed_out(const clang::CallExpr& call, Types& types) {
  const FunctionModel* row = model_of(call, types);
  const clang::Expr* subject = row == nullptr ? nullptr : subject_of(call);
  const bool makes = subject != nullptr && (row->hands_out == HandsOut::kElements ||
                                            (row->reads_ranges && subject->isLValue()));
  return makes && is_list(types.of(subject->getType()).role) ? subject : nullptr;
}

bool steps(clang::OverloadedOperatorKind op) {
  return op == clang::OO_PlusPlus || op == clang::OO_MinusMinus || op == clang::OO_Plus ||
         op == clang::OO_Minus || op == clang::OO_PlusEqual || op == clang::OO_MinusEqual;
}

bool looks_behind(clang::OverloadedOperatorKind op) {
  return op == clang::OO_Star || op == clang::OO_Arrow || op == clang::OO_Subscript;
}

/// Of what an iterator is another form: a copy, `it + 1`, `std::next(it)`. Null: of nothing.
const clang::Expr* other_form(const clang::Expr& expr, Types& types) {
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&expr)) {
    const std::string& name = types.qualified_name(*made->getConstructor()->getParent());
    const llvm::StringRef text = name;
    const bool library = text.starts_with("std::") || text.starts_with("__gnu_cxx::");
    for (unsigned index = 1; index < made->getNumArgs(); ++index)
      if (!llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(index))) return nullptr;
    return library && made->getNumArgs() > 0 ? made->getArg(0) : nullptr;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&expr);
  if (call == nullptr || call->getNumArgs() == 0) return nullptr;
  if (const auto* indexed = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call))
    return steps(indexed->getOperator()) && call->getType()->isRecordType() ? call->getArg(0)
                                                                            : nullptr;
  const FunctionModel* row = model_of(*call, types);
  const bool passes =
      row != nullptr && row->kind == CallKind::kPass && !llvm::isa<clang::CXXMemberCallExpr>(call);
  return passes ? call->getArg(0) : nullptr;
}

/// It names one list wherever the function names it so.
bool is_steady(const clang::Expr* list, const clang::FunctionDecl& function) {
  list = strip(list);
  if (const auto* method = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(list))
    return returned_field(method->getMethodDecl()) != nullptr &&
           is_steady(method->getImplicitObjectArgument(), function);
  const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(list);
  if (member == nullptr) return llvm::isa_and_nonnull<clang::DeclRefExpr, clang::CXXThisExpr>(list);
  if (!member->isArrow()) return is_steady(member->getBase(), function);
  const clang::Expr* pointer = strip(member->getBase());
  if (llvm::isa_and_nonnull<clang::CXXThisExpr>(pointer)) return true;
  const clang::VarDecl* variable = variable_named(pointer);
  return variable != nullptr && keeps_its_value(*variable, function);
}

bool same_list(const clang::Expr& a, const clang::Expr& b, const clang::ASTContext& context) {
  llvm::FoldingSetNodeID first, second;
  strip(&a)->Profile(first, context, true);
  strip(&b)->Profile(second, context, true);
  return first == second;
}

}  // namespace

/// Finds the variables, and then drops those that are used in another way.
class Iterators::Scan : public clang::DynamicRecursiveASTVisitor {
 public:
  Scan(Iterators& found, const clang::FunctionDecl& function)
      : found_(found), function_(function) {}

  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    ++lambdas_;
    const bool goes_on = clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
    --lambdas_;
    return goes_on;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (lambdas_ == 0 && variable->hasLocalStorage() && !variable->isImplicit() &&
        variable->getType()->isRecordType() && variable->getInit() != nullptr)
      give(*variable, *variable->getInit());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
    if (lambdas_ == 0 && call->getOperator() == clang::OO_Equal)
      if (const clang::VarDecl* variable = variable_named(call->getArg(0));
          variable != nullptr && variable->getType()->isRecordType())
        give(*variable, *call->getArg(1));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (lambdas_ == 0 && list_handed_out(*call, *found_.types_) != nullptr) calls_.push_back(call);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (lambdas_ == 0)
      names_.push_back(name);
    else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
      others_.insert(variable);
    return true;
  }

  void finish(const clang::Stmt& body) {
    for (const clang::VarDecl* other : others_) found_.lists_.erase(other);
    if (calls_.empty()) return found_.lists_.clear();
    const clang::ParentMap parents(const_cast<clang::Stmt*>(&body));
    // When a variable is dropped, the variable that it was copied from is dropped with it.
    for (std::size_t before = found_.lists_.size() + 1; before > found_.lists_.size();) {
      before = found_.lists_.size();
      for (const clang::DeclRefExpr* name : names_) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        if (found_.lists_.contains(variable) && !only_looks(*name, parents))
          found_.lists_.erase(variable);
      }
    }
    for (const clang::CallExpr* call : calls_)
      if (only_looks(*call, parents)) found_.followed_.insert(call);
  }

 private:
  void give(const clang::VarDecl& variable, const clang::Expr& value) {
    const clang::Expr* list = found_.behind(&value);
    const auto before = found_.lists_.find(&variable);
    if (list == nullptr || !is_steady(list, function_)) {
      // The value is no iterator into a known list: the variable is not followed.
      if (!is_made_of_nothing(&value)) others_.insert(&variable);
    } else if (before == found_.lists_.end()) {
      found_.lists_[&variable] = list;
    } else if (!same_list(*before->second, *list, function_.getASTContext())) {
      others_.insert(&variable);
    }
  }

  /// Only this function sees the iterator, or changes the list by it.
  bool only_looks(const clang::Expr& iterator, const clang::ParentMap& parents) const {
    const clang::Stmt* at = &iterator;
    for (const clang::Stmt* parent = parents.getParent(at); parent != nullptr;
         at = parent, parent = parents.getParent(at)) {
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(parent))
        return llvm::any_of(declared->decls(), [&](const clang::Decl* decl) {
          const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          return variable != nullptr && variable->getInit() == at &&
                 found_.lists_.contains(variable);
        });
      const auto* user = llvm::dyn_cast<clang::Expr>(parent);
      if (user == nullptr) return !llvm::isa<clang::ReturnStmt, clang::CoreturnStmt>(parent);
      if (strip(user) != user) continue;
      if (const clang::Expr* form = other_form(*user, *found_.types_); form != nullptr)
        if (form == at) continue;
      return user_only_looks(*user, llvm::cast<clang::Expr>(*at));
    }
    return true;
  }

  bool user_only_looks(const clang::Expr& user, const clang::Expr& iterator) const {
    if (llvm::isa<clang::CXXConstructExpr>(user)) return true;  // made of a range
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&user);
    if (call == nullptr) return false;
    if (const auto* used = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
      if (used->getOperator() == clang::OO_Equal)
        return used->getArg(0) == &iterator ||
               found_.lists_.contains(variable_named(used->getArg(0)));
      return looks_behind(used->getOperator()) || steps(used->getOperator()) ||
             used->isComparisonOp();
    }
    const FunctionModel* row = model_of(*call, *found_.types_);
    return row != nullptr && row->reads_ranges;
  }

  Iterators& found_;
  const clang::FunctionDecl& function_;
  unsigned lambdas_ = 0;
  std::vector<const clang::CallExpr*> calls_;  ///< that make iterators
  std::vector<const clang::DeclRefExpr*> names_;
  llvm::DenseSet<const clang::VarDecl*> others_;  ///< not followed
};

Iterators::Iterators(const clang::Stmt& body, const clang::FunctionDecl& function, Types& types)
    : types_(&types) {
  Scan scan(*this, function);
  scan.TraverseStmt(const_cast<clang::Stmt*>(&body));
  scan.finish(body);
}

const clang::Expr* Iterators::behind(const clang::Expr* iterator) const {
  for (iterator = strip(iterator); iterator != nullptr;
       iterator = strip(other_form(*iterator, *types_))) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(iterator)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      return variable == nullptr ? nullptr : lists_.lookup(variable);
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(iterator))
      if (const clang::Expr* list = list_handed_out(*call, *types_)) return list;
  }
  return nullptr;
}

const clang::Expr* Iterators::list_of(const clang::Expr& element) const {
  const clang::Expr* expr = strip(&element);
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr);
  if (member != nullptr) expr = strip(member->getBase());
  const auto* look = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(expr);
  if (look == nullptr || !looks_behind(look->getOperator())) return nullptr;
  const clang::Expr* list = behind(look->getArg(0));
  if (list == nullptr || member == nullptr) return list;
  // A map's elements are the second parts of its pairs.
  const auto* map = list->getType().getNonReferenceType()->getAsCXXRecordDecl();
  const TypeModel* row = map == nullptr ? nullptr : types_->model(*map);
  const auto* pair =
      llvm::dyn_cast<clang::CXXRecordDecl>(member->getMemberDecl()->getDeclContext());
  const TypeModel* parts = pair == nullptr ? nullptr : types_->model(*pair);
  const bool mapped = row != nullptr && row->role == TypeRole::kMap && parts != nullptr &&
                      parts->members.size() == 2 &&
                      member->getMemberDecl()->getDeclName().getAsString() == parts->members[1];
  return mapped ? list : nullptr;
}

}  // namespace xfer::analyzer
