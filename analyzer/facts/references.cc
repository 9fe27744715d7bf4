#include "analyzer/facts/references.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/StringSet.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// Ways to change what a reference names. Data of tensors may change: they stay where they are.
class ChangesThrough : public clang::DynamicRecursiveASTVisitor {
 public:
  ChangesThrough(const clang::ValueDecl& reference, Types& types) : types_(types) {
    names_.insert(&reference);
    if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(&reference))
      for (const clang::BindingDecl* binding : parts->bindings()) {
        names_.insert(binding);
        if (const clang::VarDecl* holder = binding->getHoldingVar()) names_.insert(holder);
      }
  }

  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    return note(expr->isAssignmentOp() && names(expr->getLHS()));
  }
  bool VisitUnaryOperator(clang::UnaryOperator* expr) override {
    return note((expr->getOpcode() == clang::UO_AddrOf || expr->isIncrementDecrementOp()) &&
                names(expr->getSubExpr()));
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
    return note(call->isAssignmentOp() && names(call->getArg(0)));
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    const clang::Expr* owner = call->getImplicitObjectArgument();
    const bool tensor = types_.of(owner->getType()).role == Role::kTensor;
    return note(method != nullptr && !method->isConst() && !tensor && !takes_element(*call) &&
                names(owner));
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (llvm::isa<clang::CXXOperatorCallExpr>(call) || takes_element(*call)) return true;
    for (unsigned index = 0; index < call->getNumArgs(); ++index)
      note(hands_out(callee, index) && names(call->getArg(index)));
    return !found;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    // Made of a text, by a constructor that takes whatever there is.
    const Role role = types_.of(made->getType()).role;
    if (role == Role::kDevice || role == Role::kOptions) return true;
    for (unsigned index = 0; index < made->getNumArgs(); ++index)
      note(hands_out(made->getConstructor(), index) && names(made->getArg(index)));
    return !found;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    return note(is_mutable_reference(variable->getType()) && !variable->isImplicit() &&
                !names_.contains(variable) && variable->getInit() != nullptr &&
                names(variable->getInit()));
  }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    return note(is_mutable_reference(loop->getLoopVariable()->getType()) &&
                names(loop->getRangeInit()));
  }
  bool VisitReturnStmt(clang::ReturnStmt* result) override {
    const clang::Expr* value = result->getRetValue();
    return note(value != nullptr && value->isLValue() && names(value));
  }
  bool found = false;

 private:
  bool note(bool changes) {
    found |= changes;
    return !found;
  }
  bool names(const clang::Expr* expr) const {
    const clang::Decl* root = root_of(expr);
    return root != nullptr && names_.contains(root);
  }
  bool takes_element(const clang::CallExpr& call) {
    const FunctionModel* row = model_of(call, types_);
    return row != nullptr && row->kind == CallKind::kElement;
  }
  static bool hands_out(const clang::FunctionDecl* callee, unsigned argument) {
    return callee == nullptr || argument >= callee->getNumParams() ||
           is_mutable_reference(callee->getParamDecl(argument)->getType());
  }

  Types& types_;
  llvm::DenseSet<const clang::Decl*> names_;
};

bool changed_through(const clang::ValueDecl& name, const clang::FunctionDecl& function,
                     Types& types) {
  ChangesThrough changes(name, types);
  changes.TraverseStmt(function.getBody());
  return changes.found;
}

/// Counts the uses of a vector, and those of them that leave it as many elements as it has.
class CountKept : public clang::DynamicRecursiveASTVisitor {
 public:
  CountKept(const clang::VarDecl& vector, unsigned depth) : vector_(vector), depth_(depth) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
    uses_ += expr->getDecl() == &vector_;
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (variable_named(call->getImplicitObjectArgument()) == &vector_ && method != nullptr)
      kept_ += method->isConst() || hands_out_elements(*method);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* subscript = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    if (subscript != nullptr && subscript->getOperator() == clang::OO_Subscript)
      kept_ += variable_named(call->getArg(0)) == &vector_;
    if (callee == nullptr || subscript != nullptr) return true;
    for (unsigned index = 0; index < call->getNumArgs() && index < callee->getNumParams(); ++index)
      if (variable_named(call->getArg(index)) == &vector_)
        kept_ += keeps_count(callee, index, depth_);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    // The range of a loop over its elements.
    kept_ += variable->isImplicit() && variable->getInit() != nullptr &&
             variable_named(variable->getInit()) == &vector_;
    return true;
  }
  bool all() const { return uses_ == kept_; }

 private:
  const clang::VarDecl& vector_;
  const unsigned depth_;
  unsigned uses_ = 0;
  unsigned kept_ = 0;
};

}  // namespace

bool hands_out_elements(const clang::CXXMethodDecl& method) {
  if (!method.getEnclosingNamespaceContext()->isStdNamespace() || method.getIdentifier() == nullptr)
    return false;
  static const llvm::StringSet<> names = {"data", "begin", "end",   "rbegin",
                                          "rend", "at",    "front", "back"};
  return names.contains(method.getName());
}

bool keeps_count(const clang::FunctionDecl* callee, unsigned parameter, unsigned depth) {
  const clang::FunctionDecl* definition = nullptr;
  if (callee == nullptr || parameter >= callee->getNumParams()) return false;
  if (!is_mutable_reference(callee->getParamDecl(parameter)->getType())) return true;
  if (depth == 0 || !callee->hasBody(definition)) return false;
  return keeps_count(*definition->getParamDecl(parameter), *definition, depth - 1);
}

bool keeps_count(const clang::VarDecl& vector, const clang::FunctionDecl& function,
                 unsigned depth) {
  CountKept uses(vector, depth);
  uses.TraverseStmt(function.getBody());
  return uses.all();
}

bool only_read(const clang::VarDecl& reference, const clang::FunctionDecl* function, Types& types) {
  if (!is_mutable_reference(reference.getType())) return true;
  const clang::FunctionDecl* definition = nullptr;
  if (function == nullptr || !function->hasBody(definition) ||
      types.of(reference.getType()).role == Role::kModule)
    return false;
  return !changed_through(reference, *definition, types);
}

const clang::FieldDecl* field_named_by(const clang::FunctionDecl* method, Types& types) {
  const clang::FieldDecl* field = returned_field(method);
  if (field == nullptr || types.in_library(*method) || types.model(*method, 0) != nullptr)
    return nullptr;
  const TypeInfo returned = types.of(method->getReturnType());
  const bool same = method->getReturnType()->isReferenceType() ||
                    (returned.role == Role::kModule && returned.handle);
  // Memory is followed by its pointers.
  return same && returned.role != Role::kMemory ? field : nullptr;
}

const clang::FieldDecl* pointer_handed_out_by(const clang::FunctionDecl* method, Types& types) {
  const clang::FieldDecl* field = returned_field(method);
  const auto is_pointer = [&](clang::QualType type) {
    return types.is_pointer(type) && types.of(type).role == Role::kMemory;
  };
  const bool same = field != nullptr && is_pointer(field->getType()) &&
                    is_pointer(method->getReturnType()) && types.model(*method, 0) == nullptr;
  return same ? field : nullptr;
}

bool hands_out_data(const clang::FunctionDecl* method, Types& types) {
  const auto* call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(only_returned(method));
  const FunctionModel* row = call == nullptr ? nullptr : model_of(*call, types);
  return row != nullptr && row->hands_out == HandsOut::kMemory && method->getNumParams() == 0 &&
         own_field(*call->getImplicitObjectArgument()) != nullptr;
}

bool left_alone(const clang::ValueDecl& named, const clang::FunctionDecl* function, Types& types) {
  const clang::FunctionDecl* definition = nullptr;
  return function != nullptr && function->hasBody(definition) &&
         !changed_through(named, *definition, types);
}

}  // namespace xfer::analyzer
