#include "analyzer/facts/stream_handles.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/stream_name.h"
#include "analyzer/facts/unit_walk.h"

namespace xfer::analyzer {
namespace {

/// Counts the uses of variables and fields, and those that leave them what they are: what they hold
/// is read or forgotten, or a call makes streams there.
class HandleScan : public UnitWalk {
 public:
  HandleScan(clang::ASTContext& context, Types& types, StreamHandles::Found& found)
      : UnitWalk(context), types_(types), found_(found) {}

  bool TraverseConstructorInitializer(clang::CXXCtorInitializer* initializer) override {
    if (initializer->isAnyMemberInitializer() && initializer->isWritten() && !moves())
      starts_as(initializer->getAnyMember(), initializer->getInit());
    return UnitWalk::TraverseConstructorInitializer(initializer);
  }
  bool VisitFieldDecl(clang::FieldDecl* field) override {
    if (field->hasInClassInitializer()) starts_as(field, field->getInClassInitializer());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr) starts_as(variable, variable->getInit());
    return true;
  }
  bool VisitInitListExpr(clang::InitListExpr* list) override {
    for (const auto& [field, init] : fields_made(*list)) starts_as(field, init);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* named) override {
    if (llvm::isa<clang::VarDecl>(named->getDecl())) ++found_[named->getDecl()].uses;
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* named) override {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(named->getMemberDecl());
    if (field != nullptr && !moves()) ++found_[field].uses;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue && is_stream_handle(cast->getType()))
      leaves(strip(cast->getSubExpr()));
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* assigned) override {
    if (assigned->getOpcode() == clang::BO_Assign && is_nothing(assigned->getRHS()))
      leaves(assigned->getLHS());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const FunctionModel* row = model_of(*call, types_);
    if (row == nullptr || call->getNumArgs() == 0) return true;
    const clang::Expr* first = without_casts(call->getArg(0));
    const bool address = llvm::isa<clang::UnaryOperator>(first);
    const bool makes = row->orders == Orders::kMakesStream;
    if (makes ? address : row->kind == CallKind::kFree) leaves(first);
    if (makes && row->stream && *row->stream < call->getNumArgs()) add_made(*call, *row);
    return true;
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* ended) override {
    leaves(ended->getArgument());
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    if (call->getMethodDecl() != nullptr && call->getMethodDecl()->isConst())
      leaves(call->getImplicitObjectArgument());
    return true;
  }

 private:
  /// In a constructor or an assignment that takes over what another object holds.
  bool moves() const {
    const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructorDecl>(function_);
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function_);
    return (made != nullptr && made->isMoveConstructor()) ||
           (method != nullptr && method->isMoveAssignmentOperator());
  }
  bool is_nothing(const clang::Expr* value) const {
    value = strip(value);
    if (const auto* list = llvm::dyn_cast_or_null<clang::InitListExpr>(value))
      return list->getNumInits() == 0 || (list->getNumInits() == 1 && is_nothing(list->getInit(0)));
    return value != nullptr && (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXDefaultInitExpr,
                                          clang::CXXScalarValueInitExpr>(value) ||
                                is_null_pointer(*value, context_));
  }
  void starts_as(const clang::ValueDecl* decl, const clang::Expr* value) {
    if (is_stream_handle(decl->getType()) && !is_nothing(value)) ++found_[decl].uses;
  }
  void leaves(const clang::Expr* expr) {
    const clang::ValueDecl* handle = handle_behind(expr);
    if (handle != nullptr && !(llvm::isa<clang::FieldDecl>(handle) && moves()))
      ++found_[handle].harmless;
  }
  void add_made(const clang::CallExpr& call, const FunctionModel& row) {
    const StreamName name = stream_name(call.getArg(*row.stream), context_);
    if (!name.known()) return;
    StreamHandles::Handle& handle = found_[name.handle];
    // Of the constructors one runs.
    const bool constructs = llvm::isa<clang::FieldDecl>(name.handle) &&
                            llvm::isa_and_nonnull<clang::CXXConstructorDecl>(function_);
    if (!constructs || !std::exchange(handle.constructed, true)) handle.made.push_back(name.index);
    clang::Expr::EvalResult flags;
    const bool told = row.flags && *row.flags < call.getNumArgs() &&
                      !call.getArg(*row.flags)->isValueDependent() &&
                      call.getArg(*row.flags)->EvaluateAsInt(flags, context_);
    handle.non_blocking &= told && (flags.Val.getInt().getLimitedValue() & 1) != 0;
  }

  Types& types_;
  StreamHandles::Found& found_;
};

}  // namespace

const StreamHandles::Found& StreamHandles::found() {
  if (!found_) {
    found_.emplace();
    HandleScan(context_, types_, *found_).walk();
  }
  return *found_;
}

bool StreamHandles::any_own() {
  return llvm::any_of(found(), [](const auto& entry) { return !entry.second.made.empty(); });
}

bool StreamHandles::is_own(const clang::ValueDecl* handle) {
  const auto known = found().find(handle);
  if (handle == nullptr || known == found().end()) return false;
  const auto& made = known->second.made;
  const std::set<std::optional<std::int64_t>> distinct(made.begin(), made.end());
  const bool once =
      made.size() == 1 || (distinct.size() == made.size() && !distinct.contains(std::nullopt));
  return once && !made.empty() && known->second.is_left_alone();
}

bool StreamHandles::is_non_blocking(const clang::ValueDecl* handle) {
  return found().lookup(handle).non_blocking;
}

bool StreamHandles::is_constant(const clang::VarDecl& variable) {
  const auto known = found().find(&variable);
  // Its initialiser counts as one use.
  return known != found().end() && known->second.uses == known->second.harmless + 1;
}

}  // namespace xfer::analyzer
