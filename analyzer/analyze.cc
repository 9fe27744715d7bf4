#include "analyzer/analyze.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <chrono>

#include "analyzer/engine.h"

namespace xfer::analyzer {
namespace {

/// Every function of the traversal scope that is written outside system headers: instances of
/// templates and lambdas too.
class Functions : public clang::DynamicRecursiveASTVisitor {
 public:
  Functions(clang::ASTContext& context, Engine& engine) : context_(context), engine_(engine) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool TraverseDecl(clang::Decl* decl) override {
    if (decl == nullptr) return true;
    const clang::SourceLocation at = decl->getLocation();
    const bool whole_unit = llvm::isa<clang::TranslationUnitDecl>(decl);
    if (!whole_unit && at.isValid() && context_.getSourceManager().isInSystemHeader(at))
      return true;
    return clang::DynamicRecursiveASTVisitor::TraverseDecl(decl);
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->isThisDeclarationADefinition() && function->hasBody() &&
        !function->isDependentContext() && runs_on_host(*function))
      engine_.analyze(*function);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    if (const clang::CXXMethodDecl* call = lambda->getCallOperator();
        call != nullptr && !call->isDependentContext() && call->hasBody() && runs_on_host(*call))
      engine_.analyze(*call);
    return true;
  }

 private:
  clang::ASTContext& context_;
  Engine& engine_;
};

}  // namespace

bool runs_on_host(const clang::FunctionDecl& function) {
  return !function.hasAttr<clang::CUDAGlobalAttr>() &&
         (!function.hasAttr<clang::CUDADeviceAttr>() || function.hasAttr<clang::CUDAHostAttr>());
}

AnalysisResult analyze(clang::ASTContext& context, const ModelSet& models,
                       const AnalysisOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Engine engine(context, models, options);
  Functions functions(context, engine);
  for (clang::Decl* decl : context.getTraversalScope()) functions.TraverseDecl(decl);
  AnalysisResult result = engine.take();
  result.stats.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

const std::vector<Rule>& analyzer_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> all;
    for (const Check& check : checks()) all.push_back(check.rule);
    return all;
  }();
  return rules;
}

}  // namespace xfer::analyzer
