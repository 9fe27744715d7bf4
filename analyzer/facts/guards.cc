#include "analyzer/facts/guards.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

namespace xfer::analyzer {
namespace {

/// Looks at the types of what a function declares and computes.
class GuardSearch : public clang::DynamicRecursiveASTVisitor {
 public:
  GuardSearch(GuardEffect effect, Types& types) : effect_(effect), types_(types) {}

  bool VisitVarDecl(clang::VarDecl* variable) override {
    look(variable->getType(), 0);
    return !found;
  }
  bool VisitExpr(clang::Expr* expr) override {
    look(expr->getType(), 0);
    return !found;
  }

  bool found = false;

 private:
  /// A guard, or a pointer, a wrapper or a list of one.
  void look(clang::QualType type, unsigned depth) {
    if (type.isNull() || found || depth > 2) return;
    type = type.getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr) return;
    if (depth == 0 && !seen_.insert(record).second) return;
    found |= types_.guard(type) == effect_;
    if (const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record))
      for (const clang::TemplateArgument& argument : made->getTemplateArgs().asArray())
        if (argument.getKind() == clang::TemplateArgument::Type)
          look(argument.getAsType(), depth + 1);
  }

  const GuardEffect effect_;
  Types& types_;
  llvm::DenseSet<const clang::CXXRecordDecl*> seen_;
};

}  // namespace

bool uses_guard(const clang::FunctionDecl& function, GuardEffect effect, Types& types) {
  GuardSearch search(effect, types);
  search.TraverseDecl(const_cast<clang::FunctionDecl*>(&function));
  return search.found;
}

}  // namespace xfer::analyzer
