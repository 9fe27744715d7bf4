// Lambdas. One that is only ever called by its name is a function of its own: what it captured is
// given to it with every call, as arguments. Of any other lambda, what it changes is not followed.

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include "analyzer/facts/module_moves.h"
#include "analyzer/facts/reader.h"
#include "analyzer/facts/references.h"

namespace xfer::analyzer {
namespace {

/// How often a body names variables, and how often only to call them.
class Uses : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(expr->getDecl())) ++named[variable];
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* expr) override {
    if (expr->getOperator() != clang::OO_Call) return true;
    const clang::Expr* object = strip(expr->getArg(0));
    count_call(object);
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(object)) found.insert(lambda);
    return true;
  }
  /// `if (f) f(x);` changes nothing of `f`.
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* expr) override {
    if (llvm::isa_and_nonnull<clang::CXXConversionDecl>(expr->getMethodDecl()))
      count_call(expr->getImplicitObjectArgument());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* expr) override {
    if (expr->getDirectCallee() == nullptr) count_call(expr->getCallee());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (const clang::Expr* init = variable->getInit())
      if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(strip(init)))
        holders.emplace_back(variable, lambda);
    return true;
  }

  llvm::DenseMap<const clang::VarDecl*, unsigned> named, called;
  std::vector<std::pair<const clang::VarDecl*, const clang::LambdaExpr*>> holders;
  llvm::DenseSet<const clang::LambdaExpr*> found;

 private:
  void count_call(const clang::Expr* object) {
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(strip(object)))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
        ++called[variable];
  }
};

/// Variables that a lambda changes, and those of whose tensors it changes the data alone.
class LambdaWrites : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit LambdaWrites(Types& types) : types_(types) {}

  LambdaChanges found;

  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    if (!expr->isAssignmentOp()) return true;
    const auto* followed = llvm::dyn_cast<clang::UnaryOperator>(strip(expr->getLHS()));
    add(followed != nullptr && followed->getOpcode() == clang::UO_Deref ? followed->getSubExpr()
                                                                        : expr->getLHS());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* expr) override {
    if (!expr->isAssignmentOp()) return true;
    // `x[i] = y` and `x += y` leave the tensor where it is.
    const clang::Expr* to = expr->getArg(0);
    const bool data = types_.of(to->getType()).role == Role::kTensor &&
                      (expr->getOperator() != clang::OO_Equal || !to->isLValue());
    add(to, data);
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* expr) override {
    const clang::CXXMethodDecl* method = expr->getMethodDecl();
    if (method == nullptr) return true;
    const clang::Expr* object = expr->getImplicitObjectArgument();
    const TypeInfo type = types_.of(object->getType());
    const FunctionModel* row = model_of(*expr, types_);
    const bool in_place = types_.models().in_place(types_.qualified_name(*method));
    const bool changes = type.role == Role::kTensor   ? in_place || (row != nullptr && row->writes)
                         : type.role == Role::kModule ? in_place || moves_module(*expr, types_)
                                                      : !method->isConst();
    if (changes) add(object, type.role == Role::kTensor);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* expr) override {
    const clang::FunctionDecl* callee = expr->getDirectCallee();
    if (callee == nullptr) return true;
    const unsigned skip =
        llvm::isa<clang::CXXOperatorCallExpr>(expr) && llvm::isa<clang::CXXMethodDecl>(callee);
    for (unsigned index = skip; index < expr->getNumArgs(); ++index) {
      if (index - skip >= callee->getNumParams()) break;
      const clang::QualType type = callee->getParamDecl(index - skip)->getType();
      const bool module = types_.of(type).role == Role::kModule && !types_.in_library(*callee);
      const bool memory = type->isPointerType() && !type->getPointeeType().isConstQualified() &&
                          types_.of(type).role == Role::kMemory;
      if (is_mutable_reference(type) || module || memory) add(expr->getArg(index));
    }
    return true;
  }

 private:
  void add(const clang::Expr* expr, bool data = false) {
    if (const clang::Decl* root = root_of(expr)) (data ? found.data : found.variables).insert(root);
  }
  Types& types_;
};

}  // namespace

LambdaChanges changed_by_lambda(const clang::CXXMethodDecl& lambda, Types& types) {
  LambdaWrites writes(types);
  if (lambda.hasBody()) writes.TraverseStmt(lambda.getBody());
  return std::move(writes.found);
}

void find_only_called(const clang::Stmt& body, BodyScan& scan) {
  Uses uses;
  uses.TraverseStmt(const_cast<clang::Stmt*>(&body));
  for (const auto& [variable, lambda] : uses.holders)
    if (uses.named.lookup(variable) == uses.called.lookup(variable)) uses.found.insert(lambda);
  scan.called_lambdas = std::move(uses.found);
  for (const auto& [variable, times] : uses.called)
    if (llvm::isa<clang::ParmVarDecl>(variable) && uses.named.lookup(variable) == times)
      scan.called_parameters.insert(variable);
}

void Reader::give_captures(const clang::CallExpr& expr, const clang::CXXRecordDecl& closure,
                           ReadCall& call) {
  if (!call.receiver_name.empty()) call.name = call.receiver_name;
  call.has_receiver = types_.captured_this(closure) != nullptr;
  if (call.has_receiver) {
    call.receiver = {};
    call.receiver.place = place(kThisVariable, {});
    call.receiver.value = make(fact::Load{call.receiver.place}, &expr);
    call.receiver.role = facts_.variables[kThisVariable].type.role;
    call.receiver.pass = Pass::kMutable;
  }
  call.arguments.resize(call.runs->getNumParams());
  if (types_.follows_memory()) call.numbers.resize(call.runs->getNumParams());
  const LambdaChanges changed =
      changed_by_lambda(*llvm::cast<clang::CXXMethodDecl>(call.runs), types_);
  for (const clang::LambdaCapture& capture : closure.captures()) {
    if (!capture.capturesVariable()) continue;
    const clang::ValueDecl& decl = *capture.getCapturedVar();
    Operand operand;
    operand.role = types_.of(decl.getType()).role;
    if (operand.role != Role::kNone) {
      const auto alias = aliases_.find(&decl);
      operand.place = alias != aliases_.end() ? alias->second : place(variable(decl), {});
      operand.value = make(fact::Load{operand.place}, &expr);
      if (capture.getCaptureKind() == clang::LCK_ByRef && changed.any(&decl))
        operand.pass = Pass::kMutable;
    }
    call.arguments.push_back(operand);
    // A copy is as old as the lambda.
    const bool as_it_is = capture.getCaptureKind() == clang::LCK_ByRef;
    if (types_.follows_memory()) call.numbers.push_back(as_it_is ? number_in(decl) : Formula{});
  }
}

/// Hands the lambda the values that it finds in its captures, whenever it runs.
void Reader::hand_captures(const clang::LambdaExpr& expr) {
  if (expr.isGenericLambda()) return;
  std::uint32_t parameter = expr.getCallOperator()->getNumParams();
  for (const clang::LambdaCapture& capture : expr.captures()) {
    if (!capture.capturesVariable()) continue;
    const clang::ValueDecl& decl = *capture.getCapturedVar();
    const std::uint32_t index = parameter++;
    const Role role = types_.of(decl.getType()).role;
    if (role == Role::kNone || role == Role::kMemory) continue;
    const auto* made = llvm::dyn_cast<clang::VarDecl>(&decl);
    const bool own = made != nullptr && made->isInitCapture();
    const bool lasts = capture.getCaptureKind() == clang::LCK_ByCopy || role == Role::kModule ||
                       left_alone(decl, function_, types_);
    fact::Capture held{declarations_.of(expr.getCallOperator()), index, {}};
    if (own) {
      held.value = value_of(made->getInit());
    } else if (lasts) {
      const auto alias = aliases_.find(&decl);
      held.value = make(
          fact::Load{alias != aliases_.end() ? alias->second : place(variable(decl), {})}, &expr);
    }
    emit(held, &expr);
  }
}

void Reader::read_lambda(const clang::LambdaExpr& expr) {
  if (scan_.called_lambdas.contains(&expr)) return;
  hand_captures(expr);
  for (const clang::LambdaCapture& capture : expr.captures()) {
    if (!capture.capturesVariable()) continue;
    const clang::ValueDecl* decl = capture.getCapturedVar();
    if (types_.of(decl->getType()).role == Role::kNone) continue;
    const clang::QualType type = decl->getType().getNonReferenceType();
    const bool memory = types_.of(type).role == Role::kMemory &&
                        !(type->isPointerType() && type->getPointeeType().isConstQualified());
    const bool untracked = scan_.untracked.contains(decl);
    if (!memory && !untracked && !scan_.data_changed.contains(decl)) continue;
    // Of a module that the lambda names for itself, what it names changes.
    const auto* made = llvm::dyn_cast<clang::VarDecl>(decl);
    if (made != nullptr && made->isInitCapture() && types_.of(type).role == Role::kModule) {
      lose(value_of(made->getInit()), "captured by a lambda that changes it", &expr);
      continue;
    }
    const auto alias = aliases_.find(decl);
    const PlaceId place_id = alias != aliases_.end() ? alias->second : place(variable(*decl), {});
    const ValueId captured = make(fact::Load{place_id}, &expr);
    if (memory || untracked)
      lose(captured, "captured by a lambda that changes it", &expr);
    else
      emit(fact::Share{captured, true}, &expr);
  }
}

}  // namespace xfer::analyzer
