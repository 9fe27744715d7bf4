#include "analyzer/facts/quiet.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// A variable of the function's own, and no way into something else.
bool is_own_variable(const clang::Expr* expr) {
  while ((expr = strip(expr)) != nullptr) {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
      if (member->isArrow()) return false;
      expr = member->getBase();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
      if (!strip(element->getBase())->getType()->isArrayType()) return false;
      expr = element->getBase();
    } else {
      break;
    }
  }
  const clang::VarDecl* variable = variable_named(expr);
  return variable != nullptr && variable->hasLocalStorage() &&
         !variable->getType()->isReferenceType();
}

/// Something that others may name is changed, or may be.
class Changes : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Changes(QuietFunctions& functions) : functions_(functions) {}

  bool VisitBinaryOperator(clang::BinaryOperator* expr) override {
    return note(expr->isAssignmentOp() && changes_number(expr->getLHS()));
  }
  bool VisitUnaryOperator(clang::UnaryOperator* expr) override {
    const bool address = expr->getOpcode() == clang::UO_AddrOf;
    return note((expr->isIncrementDecrementOp() && changes_number(expr->getSubExpr())) ||
                (address && !is_own_variable(expr->getSubExpr())));
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    const clang::CXXConstructorDecl* constructor = made->getConstructor();
    return note(!is_in_system_header(*constructor) && constructor->isUserProvided()) &&
           note(gives_way(*constructor, made->getArgs(), made->getNumArgs()));
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (llvm::isa<clang::CUDAKernelCallExpr>(call)) return true;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr) return note(true);
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    const bool shifted = llvm::isa<clang::CXXOperatorCallExpr>(call) && method != nullptr;
    if (!note(gives_way(*callee, call->getArgs() + (shifted ? 1 : 0),
                        call->getNumArgs() - (shifted ? 1 : 0))))
      return false;
    if (!is_in_system_header(*callee)) return note(!functions_.is_quiet(callee));
    if (callee->getOverloadedOperator() == clang::OO_Call ||
        llvm::any_of(call->arguments(), [](const clang::Expr* one) { return runs_code(*one); }))
      return note(true);
    // A method of the standard library changes its own object.
    if (method == nullptr || method->isConst() || method->isStatic()) return true;
    const clang::Expr* object =
        shifted ? call->getArg(0)
                : llvm::cast<clang::CXXMemberCallExpr>(call)->getImplicitObjectArgument();
    return note(!is_own_variable(object) && !is_stream(*method->getParent()));
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return note(true); }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr*) override { return note(true); }

  bool found = false;

 private:
  bool note(bool changes) {
    found |= changes;
    return !found;
  }
  /// Given to a library, it may run code of the program.
  static bool runs_code(const clang::Expr& argument) {
    const clang::QualType type = argument.getType();
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    return type->isFunctionPointerType() || type->isFunctionType() ||
           (record != nullptr && !is_in_system_header(*record));
  }
  /// A whole number or a pointer that is not the function's own variable.
  static bool changes_number(const clang::Expr* to) {
    const clang::QualType type = to->getType();
    return !type->isRealFloatingType() && !is_own_variable(to);
  }
  /// The callee may change an argument that is not the function's own variable.
  static bool gives_way(const clang::FunctionDecl& callee, const clang::Expr* const* arguments,
                        unsigned count) {
    for (unsigned index = 0; index < count; ++index) {
      if (index >= callee.getNumParams()) break;
      const clang::QualType type = callee.getParamDecl(index)->getType();
      const bool stream = type->isReferenceType() &&
                          type->getPointeeType()->getAsCXXRecordDecl() != nullptr &&
                          is_stream(*type->getPointeeType()->getAsCXXRecordDecl());
      if (is_mutable_reference(type) && !stream && !is_own_variable(arguments[index])) return true;
    }
    return false;
  }
  static bool is_stream(const clang::CXXRecordDecl& record) {
    return record.isInStdNamespace() && record.getName().contains("stream");
  }

  QuietFunctions& functions_;
};

}  // namespace

bool QuietFunctions::is_quiet(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  if (function == nullptr || !function->hasBody(definition) ||
      llvm::isa<clang::CXXConstructorDecl>(function) ||
      (method != nullptr && may_be_overridden(*method)))
    return false;
  // One that calls itself is not quiet.
  if (const auto [entry, added] = known_.try_emplace(definition, false); !added)
    return entry->second;
  Changes changes(*this);
  changes.TraverseStmt(definition->getBody());
  return known_[definition] = !changes.found;
}

}  // namespace xfer::analyzer
