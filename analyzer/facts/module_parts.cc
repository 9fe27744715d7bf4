#include "analyzer/facts/module_parts.h"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// Notes the classes of the modules that an expression is made of: `{{"a", A()}, {"b", B(3)}}`.
class ModulesIn : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit ModulesIn(Types& types) : types_(types) {}
  bool VisitExpr(clang::Expr* expr) override {
    const TypeInfo type = types_.of(expr->getType());
    if (type.role == Role::kModule && type.record != nullptr) found.insert(type.record);
    return true;
  }
  llvm::SetVector<const clang::CXXRecordDecl*> found;

 private:
  Types& types_;
};

class PartsScan : public clang::DynamicRecursiveASTVisitor {
 public:
  PartsScan(clang::ASTContext& context, Types& types) : context_(context), types_(types) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool TraverseDecl(clang::Decl* decl) override {
    if (decl == nullptr || !is_code(*decl)) return true;
    return clang::DynamicRecursiveASTVisitor::TraverseDecl(decl);
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* expr) override {
    if (!expr->getConstructor()->isCopyOrMoveConstructor() &&
        is_container(types_.of(expr->getType()).record))
      for (const clang::Expr* argument : expr->arguments()) note(*argument);
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* expr) override {
    const clang::CXXMethodDecl* method = expr->getMethodDecl();
    if (method == nullptr || !types_.in_library(*method) ||
        !is_container(types_.of(expr->getImplicitObjectArgument()->getType()).record))
      return true;
    for (const clang::Expr* argument : expr->arguments()) note(*argument);
    // `emplace_back<Part>(3)`
    if (const clang::TemplateArgumentList* given = method->getTemplateSpecializationArgs())
      for (const clang::TemplateArgument& argument : given->asArray())
        if (argument.getKind() == clang::TemplateArgument::Type)
          if (const TypeInfo type = types_.of(argument.getAsType());
              type.role == Role::kModule && type.record != nullptr)
            note(*type.record);
    return true;
  }

  llvm::SetVector<const clang::CXXMethodDecl*> found;

 private:
  bool is_container(const clang::CXXRecordDecl* record) {
    for (; record != nullptr; record = first_base(*record))
      if (const FunctionModel* forward = types_.models().forward_of(types_.qualified_name(*record)))
        return forward->module_parts;
    return false;
  }
  void note(const clang::Expr& argument) {
    ModulesIn made(types_);
    made.TraverseStmt(const_cast<clang::Expr*>(&argument));
    for (const clang::CXXRecordDecl* record : made.found) note(*record);
  }
  void note(const clang::CXXRecordDecl& part) {
    for (const clang::CXXRecordDecl* at = part.getDefinition();
         at != nullptr && !types_.in_library(*at); at = first_base(*at))
      for (const clang::CXXMethodDecl* method : at->methods())
        if (method->getIdentifier() != nullptr && types_.models().is_forward(method->getName()))
          found.insert(method);
  }

  clang::ASTContext& context_;
  Types& types_;
};

}  // namespace

const clang::CXXMethodDecl* forward_of(const clang::CXXRecordDecl& record, unsigned args,
                                       const ModelSet& models) {
  for (const clang::CXXRecordDecl* at = record.getDefinition(); at != nullptr; at = first_base(*at))
    for (const clang::CXXMethodDecl* method : at->methods())
      if (models.is_forward(method->getNameAsString()) && method->getNumParams() >= args &&
          method->getMinRequiredArguments() <= args)
        return method;
  return nullptr;
}

llvm::SetVector<const clang::CXXMethodDecl*> forwards_of_parts(clang::ASTContext& context,
                                                               Types& types) {
  PartsScan scan(context, types);
  for (clang::Decl* decl : context.getTraversalScope()) scan.TraverseDecl(decl);
  return std::move(scan.found);
}

}  // namespace xfer::analyzer
