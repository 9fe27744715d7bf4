#include "analyzer/facts/streams.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <algorithm>
#include <set>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// `s` of `&s`; else the expression itself.
const clang::Expr* behind_address(const clang::Expr* expr) {
  const clang::Expr* addressed = addressed_by(expr);
  return without_casts(addressed == nullptr ? expr : addressed);
}

const clang::CXXOperatorCallExpr* as_subscript(const clang::Expr* expr) {
  const auto* call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(expr);
  return call != nullptr && call->getOperator() == clang::OO_Subscript ? call : nullptr;
}

/// `s` of `s`, `s[i]`, `&s[i]`, where it is a local variable; else null.
const clang::VarDecl* variable_behind(const clang::Expr* expr) {
  expr = behind_address(expr);
  if (const auto* subscript = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(expr))
    expr = without_casts(subscript->getBase());
  else if (const auto* call = as_subscript(expr))
    expr = without_casts(call->getArg(0));
  const clang::VarDecl* variable = variable_named(expr);
  return variable != nullptr && variable->isLocalVarDecl() && !variable->isStaticLocal() &&
                 !variable->getType()->isReferenceType()
             ? variable
             : nullptr;
}

/// `i` of these; null: there is none.
const clang::Expr* index_in(const clang::Expr* expr) {
  expr = behind_address(expr);
  if (const auto* subscript = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(expr))
    return subscript->getIdx();
  const auto* call = as_subscript(expr);
  return call == nullptr ? nullptr : call->getArg(1);
}

/// Counts the uses of variables that leave them what they are: what they hold is read, or a call
/// makes streams there.
class StreamUses : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit StreamUses(Types& types) : types_(types) {}

  bool only_read(const clang::VarDecl* variable) const {
    const auto all = all_.find(variable);
    const auto harmless = harmless_.find(variable);
    return all == all_.end() || (harmless != harmless_.end() && all->second == harmless->second);
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* named) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl())) ++all_[variable];
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    const clang::Expr* inner = strip(cast->getSubExpr());
    if (cast->getCastKind() != clang::CK_LValueToRValue || !holds_stream(cast->getType()))
      return true;
    ++harmless_[variable_behind(inner)];
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const FunctionModel* row = model_of(*call, types_);
    if (row == nullptr || call->getNumArgs() == 0) return true;
    const clang::Expr* first = without_casts(call->getArg(0));
    const bool address = llvm::isa<clang::UnaryOperator>(first);
    if (row->orders == Orders::kMakesStream ? address : row->kind == CallKind::kFree)
      ++harmless_[variable_behind(first)];
    return true;
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* ended) override {
    ++harmless_[variable_behind(ended->getArgument())];
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    if (call->getMethodDecl() != nullptr && call->getMethodDecl()->isConst())
      ++harmless_[variable_behind(call->getImplicitObjectArgument())];
    return true;
  }

 private:
  static bool holds_stream(clang::QualType type) {
    return type->isPointerType() && type->getPointeeType()->isRecordType();
  }

  Types& types_;
  std::map<const clang::VarDecl*, unsigned> all_, harmless_;
};

}  // namespace

Streams::Name Streams::name_of(const clang::Expr* argument) const {
  const clang::Expr* bare = without_casts(as_given(argument));
  if (bare == nullptr) return {};
  Name name;
  clang::Expr::EvalResult value;
  if (is_null_pointer(*bare, context_)) {
    name.is_default = true;
    return name;
  }
  name.variable = variable_behind(bare);
  const clang::Expr* index = index_in(bare);
  if (index != nullptr && !index->isValueDependent() && index->EvaluateAsInt(value, context_))
    name.index = value.Val.getInt().getExtValue();
  return name;
}

void Streams::add_made(const clang::CallExpr& call, const FunctionModel& row) {
  const Name name = name_of(call.getArg(*row.stream));
  if (name.variable == nullptr) return;
  Made& made = made_[name.variable];
  made.elements.push_back(name.index);
  clang::Expr::EvalResult flags;
  const bool told = row.flags && *row.flags < call.getNumArgs() &&
                    !call.getArg(*row.flags)->isValueDependent() &&
                    call.getArg(*row.flags)->EvaluateAsInt(flags, context_);
  made.non_blocking &= told && (flags.Val.getInt().getLimitedValue() & 1) != 0;
}

void Streams::add(const clang::Expr& expr, CallId call) {
  if (const auto* launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(&expr)) {
    const clang::CallExpr* config = launch->getConfig();
    if (config != nullptr && config->getNumArgs() > 3)
      work_.push_back({call, name_of(config->getArg(3))});
    return;
  }
  const auto* made = llvm::dyn_cast<clang::CallExpr>(&expr);
  const FunctionModel* row = made == nullptr ? nullptr : model_of(*made, types_);
  if (row == nullptr) return;
  const auto name = [&](std::optional<unsigned> index) {
    return index && *index < made->getNumArgs() ? name_of(made->getArg(*index)) : Name{};
  };
  const bool copies = row->kind == CallKind::kCopy;
  Name stream = name(row->stream);
  if (copies && !row->asynchronous) stream.is_default = true;
  switch (row->orders) {
    case Orders::kMakesStream:
      if (row->stream && *row->stream < made->getNumArgs()) add_made(*made, *row);
      return;
    case Orders::kRecordsEvent: recorded_.push_back({name(row->event), stream}); return;
    case Orders::kAwaitsEvent: awaited_.push_back({name(row->event), stream}); return;
    case Orders::kNone: break;
  }
  if (row->kind == CallKind::kSynchronize && row->event)
    waits_.push_back({call, {}, name(row->event)});
  else if (copies || (row->kind == CallKind::kSynchronize && row->stream))
    waits_.push_back({call, {stream}, std::nullopt});
  if (copies) work_.push_back({call, stream});
}

/// The two are never one stream, and what is on one does not wait for the other by itself.
bool Streams::differ(const Name& a, const Name& b) const {
  if (b.is_default && !a.is_default) return differ(b, a);
  if (a.is_default) return !b.is_default && is_own(b) && made_.at(b.variable).non_blocking;
  if (!is_own(a) || !is_own(b)) return false;
  return a.variable != b.variable || (a.index && b.index && *a.index != *b.index);
}

/// Adds the streams that the event is recorded on. False: it may be any.
bool Streams::add_recorded(const Name& event, std::vector<Name>& streams) const {
  if (event.variable == nullptr) return false;
  bool found = false;
  for (const Mark& mark : recorded_) {
    if (mark.event.variable == nullptr) return false;
    if (mark.event.variable != event.variable) continue;
    streams.push_back(mark.stream);
    found = true;
  }
  return found;
}

std::optional<std::vector<Streams::Name>> Streams::covered_by(const Wait& wait) const {
  std::vector<Name> covered = wait.streams;
  if (wait.event && !add_recorded(*wait.event, covered)) return std::nullopt;
  std::set<const Mark*> followed;
  for (std::size_t at = 0; at < covered.size(); ++at) {
    const Name stream = covered[at];
    if (!stream.is_default && !is_own(stream)) return std::nullopt;
    for (const Mark& mark : awaited_) {
      if (differ(mark.stream, stream) || !followed.insert(&mark).second) continue;
      if (!add_recorded(mark.event, covered)) return std::nullopt;
    }
  }
  return covered;
}

std::map<CallId, std::vector<CallId>> Streams::not_waited_for(const clang::FunctionDecl& function) {
  std::map<CallId, std::vector<CallId>> found;
  if (made_.empty() || waits_.empty()) return found;
  StreamUses uses(types_);
  uses.TraverseStmt(function.getBody());
  for (const auto& [variable, made] : made_) {
    const std::set<std::optional<std::int64_t>> distinct(made.elements.begin(),
                                                         made.elements.end());
    const bool once = made.elements.size() == 1 ||
                      (distinct.size() == made.elements.size() && !distinct.contains(std::nullopt));
    if (once && uses.only_read(variable)) own_.insert(variable);
  }
  for (const Wait& wait : waits_) {
    const std::optional<std::vector<Name>> covered = covered_by(wait);
    if (!covered) continue;
    for (const Work& work : work_)
      if (std::ranges::all_of(*covered,
                              [&](const Name& stream) { return differ(stream, work.stream); }))
        found[wait.call].push_back(work.call);
  }
  return found;
}

}  // namespace xfer::analyzer
