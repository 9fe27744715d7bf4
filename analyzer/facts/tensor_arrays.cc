// Arrays of tensors that `new` makes: local pointers that are nothing but the name of one.

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

class ArrayScan : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit ArrayScan(Types& types) : types_(types) {}

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr && is_new_array(variable->getInit(), types_))
      made_.insert(variable);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* assignment) override {
    const clang::VarDecl* to = local_pointer(strip(assignment->getLHS()));
    if (assignment->getOpcode() != clang::BO_Assign || to == nullptr) return true;
    if (!is_new_array(assignment->getRHS(), types_)) return true;
    made_.insert(to);
    ++as_array_[to];
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    if (const clang::VarDecl* array = local_pointer(strip(element->getBase()))) ++as_array_[array];
    return true;
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* end) override {
    if (const clang::VarDecl* array = local_pointer(strip(end->getArgument()))) ++as_array_[array];
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) ++named_[variable];
    return true;
  }

  /// Every mention is of an element, of the array's making or its end.
  llvm::DenseSet<const clang::VarDecl*> arrays() {
    llvm::DenseSet<const clang::VarDecl*> found;
    for (const clang::VarDecl* variable : made_)
      if (named_.lookup(variable) == as_array_.lookup(variable)) found.insert(variable);
    return found;
  }

 private:
  Types& types_;
  llvm::DenseSet<const clang::VarDecl*> made_;
  llvm::DenseMap<const clang::VarDecl*, unsigned> named_, as_array_;
};

}  // namespace

bool is_new_array(const clang::Expr* expr, Types& types) {
  const auto* made = llvm::dyn_cast_or_null<clang::CXXNewExpr>(strip(expr));
  return made != nullptr && made->isArray() &&
         types.of(made->getAllocatedType()).role == Role::kTensor;
}

llvm::DenseSet<const clang::VarDecl*> tensor_arrays(const clang::Stmt& body, Types& types) {
  ArrayScan scan(types);
  scan.TraverseStmt(const_cast<clang::Stmt*>(&body));
  return scan.arrays();
}

}  // namespace xfer::analyzer
