#include "analyzer/facts/registered_fields.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/DenseMap.h>

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

class Registrations : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Registrations(Types& types) : types_(types) {}

  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    ranges_[loop->getLoopVariable()] = loop->getRangeInit();
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* expr) override {
    const bool registers = is_registration(expr);
    for (const clang::Expr* argument : expr->arguments()) {
      if (registers)
        note(argument);
      else if (contains_registration(argument))
        note(expr->getImplicitObjectArgument());  // layers.push_back(register_module(...))
      else if (const clang::VarDecl* put = variable(argument))
        puts_.emplace_back(put, expr->getImplicitObjectArgument());
    }
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* expr) override {
    if (expr->getOperator() == clang::OO_Equal && contains_registration(expr->getArg(1)))
      note(expr->getArg(0));
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (contains_registration(variable->getInit())) variables_.insert(variable);
    return true;
  }

  void initializer(const clang::CXXCtorInitializer& init) {
    TraverseStmt(init.getInit());
    if (init.isAnyMemberInitializer() && contains_registration(init.getInit()))
      fields_.insert(init.getAnyMember()->getCanonicalDecl());
  }
  void default_initializer(const clang::FieldDecl& field) {
    if (contains_registration(field.getInClassInitializer()))
      fields_.insert(field.getCanonicalDecl());
  }

  llvm::DenseSet<const clang::FieldDecl*> take() {
    for (const auto& [variable, container] : puts_)
      if (variables_.contains(variable)) note(container);
    return std::move(fields_);
  }

 private:
  bool is_registration(const clang::CXXMemberCallExpr* call) {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (method == nullptr) return false;
    const FunctionModel* model = types_.model(*method, call->getNumArgs());
    return model != nullptr && model->kind == CallKind::kRegister;
  }
  bool contains_registration(const clang::Stmt* node) {
    if (node == nullptr) return false;
    if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(node))
      if (is_registration(call)) return true;
    for (const clang::Stmt* child : node->children())
      if (contains_registration(child)) return true;
    return false;
  }
  /// Copies of handles and smart pointers are the same module.
  static const clang::Expr* look_through(const clang::Expr* expr) {
    while ((expr = strip(expr)) != nullptr) {
      const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
      if (construct == nullptr || construct->getNumArgs() != 1) return expr;
      expr = construct->getArg(0);
    }
    return nullptr;
  }
  static const clang::VarDecl* variable(const clang::Expr* expr) {
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

  Types& types_;
  llvm::DenseSet<const clang::FieldDecl*> fields_;
  llvm::DenseSet<const clang::VarDecl*> variables_;  ///< what they hold is registered
  llvm::DenseMap<const clang::VarDecl*, const clang::Expr*>
      ranges_;  ///< loop variable -> what is looped over
  std::vector<std::pair<const clang::VarDecl*, const clang::Expr*>>
      puts_;  ///< given to a method of a container
};

llvm::DenseSet<const clang::FieldDecl*> registered_fields(const clang::CXXRecordDecl& record,
                                                          Types& types) {
  Registrations registrations(types);
  const auto search = [&](const clang::FunctionDecl& function) {
    const clang::FunctionDecl* definition = nullptr;
    if (!function.hasBody(definition)) return;
    registrations.TraverseStmt(definition->getBody());
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
      for (const clang::CXXCtorInitializer* init : constructor->inits())
        registrations.initializer(*init);
  };
  for (const clang::Decl* decl : record.decls()) {
    if (const auto* method = llvm::dyn_cast<clang::FunctionDecl>(decl)) search(*method);
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
      for (const clang::FunctionDecl* instance : pattern->specializations()) search(*instance);
    if (const auto* member = llvm::dyn_cast<clang::FieldDecl>(decl))
      registrations.default_initializer(*member);
  }
  return registrations.take();
}

}  // namespace

bool RegisteredFields::contains(const clang::FieldDecl& field) {
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  if (record == nullptr || !types_.is_module(*record)) return false;
  if (types_.in_library(*record)) return true;
  const auto [known, added] = known_.try_emplace(record);
  if (added) known->second = registered_fields(*record, types_);
  return known->second.contains(field.getCanonicalDecl());
}

}  // namespace xfer::analyzer
