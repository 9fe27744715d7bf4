#include "analyzer/facts/registrations.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <vector>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/types.h"
#include "analyzer/models/api_models.h"

namespace xfer::analyzer {
namespace {

/// `v[i]`, `v.at(i)`, `v.back()`: v.
const clang::Expr* container_of(const clang::Expr* element, Types& types) {
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(element))
    return call->getOperator() == clang::OO_Subscript ? call->getArg(0) : nullptr;
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(element))
    return subscript->getBase();
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(element);
  const FunctionModel* row = call == nullptr ? nullptr : model_of(*call, types);
  const bool part = row != nullptr && (row->kind == CallKind::kElement || row->parts);
  return part ? call->getImplicitObjectArgument() : nullptr;
}

/// `std::move(x)`, `*x`, `&x`, a copy of a handle or a pointer: x, which is the same module.
const clang::Expr* handed_through(const clang::Expr* expr, Types& types) {
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expr))
    return construct->getNumArgs() == 1 ? construct->getArg(0) : nullptr;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    const bool same =
        unary->getOpcode() == clang::UO_Deref || unary->getOpcode() == clang::UO_AddrOf;
    return same ? unary->getSubExpr() : nullptr;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expr);
  if (call == nullptr || call->getNumArgs() != 1) return nullptr;
  const FunctionModel* row = model_of(*call, types);
  return row != nullptr && row->kind == CallKind::kPass ? call->getArg(0) : nullptr;
}

/// It has a module to register something in.
bool has_module(const clang::FunctionDecl& function, Types& types) {
  if (types.in_library(function)) return false;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function))
    if (method->getParent()->isLambda() || types.is_module(*method->getParent())) return true;
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    const clang::CXXRecordDecl* record = types.record_of(parameter->getType());
    if (record != nullptr && types.is_module(*record)) return true;
  }
  return false;
}

class RegistrationVisitor : public clang::DynamicRecursiveASTVisitor {
 public:
  RegistrationVisitor(Types& types, Registrations& helpers) : types_(types), helpers_(helpers) {}

  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    ranges_[loop->getLoopVariable()] = loop->getRangeInit();
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* expr) override {
    const bool registers = is_registration(expr);
    const Registered* helper = registers ? nullptr : helper_of(expr);
    const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr);
    if (helper != nullptr) {
      fields_.insert(helper->fields.begin(), helper->fields.end());
      for (const unsigned parameter : helper->parameters) note(given(*expr, parameter));
    }
    for (const clang::Expr* argument : expr->arguments()) {
      if (registers)
        note(argument);
      else if (method == nullptr)
        continue;
      else if (contains_registration(argument))
        note(method->getImplicitObjectArgument());  // layers.push_back(register_module(...))
      else if (const clang::VarDecl* put = variable(argument))
        puts_.emplace_back(put, method->getImplicitObjectArgument());
    }
    const auto* assigned = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
    if (assigned != nullptr && assigned->getOperator() == clang::OO_Equal) {
      if (contains_registration(assigned->getArg(1)))
        note(assigned->getArg(0));
      else if (const clang::VarDecl* put = variable(assigned->getArg(1)))
        puts_.emplace_back(put, assigned->getArg(0));
    }
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (contains_registration(variable->getInit())) variables_.insert(variable);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* leave) override {
    if (leave->getRetValue() != nullptr) returned_.push_back(leave->getRetValue());
    return true;
  }

  void body(const clang::FunctionDecl& function) {
    const clang::FunctionDecl* definition = nullptr;
    if (!function.hasBody(definition)) return;
    TraverseStmt(definition->getBody());
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
      for (const clang::CXXCtorInitializer* init : constructor->inits()) initializer(*init);
  }
  void default_initializer(const clang::FieldDecl& field) {
    if (contains_registration(field.getInClassInitializer()))
      fields_.insert(field.getCanonicalDecl());
  }
  llvm::DenseSet<const clang::FieldDecl*> take() {
    finish();
    return std::move(fields_);
  }
  Registered take(const clang::FunctionDecl& definition) {
    finish();
    Registered found;
    for (unsigned index = 0; index < definition.getNumParams(); ++index)
      if (variables_.contains(definition.getParamDecl(index))) found.parameters.push_back(index);
    for (const clang::Expr* returned : returned_) found.result |= is_registered(returned);
    found.fields = std::move(fields_);
    return found;
  }

 private:
  void initializer(const clang::CXXCtorInitializer& init) {
    TraverseStmt(init.getInit());
    if (init.isAnyMemberInitializer() && contains_registration(init.getInit()))
      fields_.insert(init.getAnyMember()->getCanonicalDecl());
  }
  void finish() {
    for (const auto& [variable, container] : puts_)
      if (variables_.contains(variable)) note(container);
  }
  bool is_registration(const clang::CallExpr* call) {
    const auto* on_object = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
    const clang::CXXMethodDecl* method =
        on_object == nullptr ? nullptr : on_object->getMethodDecl();
    if (method == nullptr) return false;
    const FunctionModel* model = types_.model(*method, call->getNumArgs());
    return model != nullptr && model->kind == CallKind::kRegister;
  }
  const Registered* helper_of(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return callee == nullptr ? nullptr : helpers_.of(*callee);
  }
  /// The argument that a call gives for a parameter; null: none.
  static const clang::Expr* given(const clang::CallExpr& call, unsigned parameter) {
    // The first argument of an operator is its object.
    const bool shifted = llvm::isa<clang::CXXOperatorCallExpr>(call) &&
                         llvm::isa_and_nonnull<clang::CXXMethodDecl>(call.getDirectCallee());
    const unsigned index = parameter + (shifted ? 1 : 0);
    return index < call.getNumArgs() ? call.getArg(index) : nullptr;
  }
  bool contains_registration(const clang::Stmt* node) {
    if (node == nullptr) return false;
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(node)) {
      if (is_registration(call)) return true;
      const Registered* helper = helper_of(call);
      if (helper != nullptr && helper->result) return true;
    }
    for (const clang::Stmt* child : node->children())
      if (contains_registration(child)) return true;
    return false;
  }
  const clang::Expr* look_through(const clang::Expr* expr) {
    while ((expr = strip(expr)) != nullptr) {
      const clang::Expr* inner = handed_through(expr, types_);
      if (inner == nullptr) return expr;
      expr = inner;
    }
    return nullptr;
  }
  const clang::VarDecl* variable(const clang::Expr* expr) {
    const auto* reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(look_through(expr));
    return reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  }
  void note(const clang::Expr* expr) {
    for (unsigned depth = 0; depth < 8 && (expr = look_through(expr)) != nullptr; ++depth) {
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
        if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()))
          fields_.insert(field->getCanonicalDecl());
        return;
      }
      if (const clang::VarDecl* named = variable(expr)) {
        variables_.insert(named);
        expr = ranges_.lookup(named);
      } else {
        expr = container_of(expr, types_);
      }
    }
  }
  /// It is a call that registers its result, or a name of what is registered, or a part of that.
  bool is_registered(const clang::Expr* expr) {
    if (contains_registration(expr)) return true;
    for (unsigned depth = 0; depth < 8 && (expr = look_through(expr)) != nullptr; ++depth) {
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
        const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
        return field != nullptr && fields_.contains(field->getCanonicalDecl());
      }
      if (const clang::VarDecl* named = variable(expr)) return variables_.contains(named);
      expr = container_of(expr, types_);
    }
    return false;
  }

  Types& types_;
  Registrations& helpers_;
  llvm::DenseSet<const clang::FieldDecl*> fields_;
  llvm::DenseSet<const clang::VarDecl*> variables_;  ///< what they hold is registered
  llvm::DenseMap<const clang::VarDecl*, const clang::Expr*>
      ranges_;  ///< loop variable -> what is looped over
  std::vector<std::pair<const clang::VarDecl*, const clang::Expr*>>
      puts_;  ///< given to a method of a container, or to a field
  std::vector<const clang::Expr*> returned_;
};

}  // namespace

const Registered* Registrations::of(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* definition = nullptr;
  if (!function.hasBody(definition) || !has_module(*definition, types_)) return nullptr;
  const auto [known, added] = helpers_.try_emplace(definition);
  if (!added) return known->second.get();
  // Of a function that calls itself nothing is known while it is read.
  RegistrationVisitor visitor(types_, *this);
  visitor.body(*definition);
  Registered found = visitor.take(*definition);
  if (found.none()) return nullptr;
  std::unique_ptr<Registered>& kept = helpers_[definition];
  kept = std::make_unique<Registered>(std::move(found));
  return kept.get();
}

llvm::DenseSet<const clang::FieldDecl*> Registrations::fields_of(
    const clang::CXXRecordDecl& record) {
  RegistrationVisitor visitor(types_, *this);
  for (const clang::Decl* decl : record.decls()) {
    if (const auto* method = llvm::dyn_cast<clang::FunctionDecl>(decl)) visitor.body(*method);
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
      for (const clang::FunctionDecl* instance : pattern->specializations())
        visitor.body(*instance);
    if (const auto* member = llvm::dyn_cast<clang::FieldDecl>(decl))
      visitor.default_initializer(*member);
  }
  return visitor.take();
}

}  // namespace xfer::analyzer
