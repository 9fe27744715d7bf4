#include "analyzer/facts/stream_acts.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include "analyzer/facts/at_once.h"
#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// The calls of a body, in the order of the source, and what ends objects there.
class Calls : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Calls(std::vector<const clang::Expr*>& found) : found_(found) {
    ShouldVisitImplicitCode = true;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool VisitCallExpr(clang::CallExpr* call) override {
    // The configuration of a launch is no call of its own.
    if (call == launch_) return true;
    if (const auto* launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(call))
      launch_ = launch->getConfig();
    return add(*call);
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override { return add(*made); }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* ended) override { return add(*ended); }

 private:
  bool add(const clang::Expr& expr) {
    found_.push_back(&expr);
    return true;
  }

  std::vector<const clang::Expr*>& found_;
  const clang::CallExpr* launch_ = nullptr;
};

/// The end of such an object may run code that the program wrote for it.
bool ends_by_code(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->hasTrivialDestructor() ||
      record->isInStdNamespace())
    return false;
  const clang::CXXDestructorDecl* end = record->getDestructor();
  return end == nullptr || !end->isDefaulted();
}

}  // namespace

std::vector<StreamAct> StreamActs::of_model(const clang::CallExpr& call,
                                            const FunctionModel& row) const {
  const auto name = [&](std::optional<unsigned> index) {
    return index && *index < call.getNumArgs() ? stream_name(call.getArg(*index), context_)
                                               : StreamName{};
  };
  using Kind = StreamAct::Kind;
  StreamName stream = name(row.stream);
  switch (row.orders) {
    case Orders::kMakesStream: return {};
    case Orders::kRecordsEvent: return {{Kind::kRecord, stream, name(row.event)}};
    case Orders::kAwaitsEvent: return {{Kind::kAwait, stream, name(row.event)}};
    case Orders::kNone: break;
  }
  if (row.kind == CallKind::kSynchronize) {
    if (row.event) return {{Kind::kWait, {}, name(row.event)}};
    if (row.stream) return {{Kind::kWait, stream, {}}};
    return {{Kind::kWaitForAll, {}, {}}};
  }
  if (row.kind == CallKind::kCopy) {
    if (!row.asynchronous) stream.is_default = true;
    return {{Kind::kWait, stream, {}}, {Kind::kWork, stream, {}}};
  }
  return {};
}

std::vector<StreamAct> StreamActs::of(const clang::Expr& expr) {
  const clang::FunctionDecl* callee = nullptr;
  if (const auto* launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(&expr)) {
    const clang::CallExpr* config = launch->getConfig();
    StreamName stream;
    if (config != nullptr && config->getNumArgs() > 3)
      stream = stream_name(config->getArg(3), context_);
    return {{StreamAct::Kind::kWork, stream, {}}};
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expr)) {
    if (const FunctionModel* row = model_of(*call, types_)) return of_model(*call, *row);
    callee = call->getDirectCallee();
  } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&expr)) {
    callee = made->getConstructor();
    if (ends_by_code(made->getType())) return {{}};
    if (callee->isDefaulted() || is_in_system_header(*callee)) return {};
  } else if (const auto* ended = llvm::dyn_cast<clang::CXXDeleteExpr>(&expr)) {
    if (!ends_by_code(ended->getDestroyedType())) return {};
  }
  if (callee == nullptr) return {{}};
  if (returns_at_once(*callee)) return {};
  const clang::FunctionDecl* body = nullptr;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (!callee->hasBody(body) || is_in_system_header(*callee) ||
      (method != nullptr && may_be_overridden(*method)))
    return {{}};
  std::vector<StreamAct> acts = of_body(*body);
  for (StreamAct& act : acts) {
    act.stream = name_at_call(act.stream, *body, expr, context_);
    act.event = name_at_call(act.event, *body, expr, context_);
  }
  return acts;
}

const std::vector<StreamAct>& StreamActs::of_body(const clang::FunctionDecl& function) {
  // Of one that calls itself nothing is known.
  if (const auto [entry, added] = known_.try_emplace(&function, 1, StreamAct{}); !added)
    return entry->second;
  std::vector<const clang::Expr*> calls;
  Calls(calls).TraverseStmt(function.getBody());
  std::vector<StreamAct> acts;
  for (const clang::Expr* call : calls) {
    const std::vector<StreamAct> done = of(*call);
    acts.insert(acts.end(), done.begin(), done.end());
  }
  return known_[&function] = std::move(acts);
}

}  // namespace xfer::analyzer
