#include "analyzer/facts/instantiate.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

namespace xfer::analyzer {
namespace {

constexpr unsigned kMost = 256;  ///< of one unit

class Instantiator {
 public:
  explicit Instantiator(clang::Sema& sema) : sema_(sema) {}

  void visit(clang::Decl* decl) {
    if (auto* pattern = llvm::dyn_cast<clang::ClassTemplateDecl>(decl)) {
      // Copies the list: an instantiation may add specialisations to it.
      std::vector<clang::ClassTemplateSpecializationDecl*> instances(pattern->spec_begin(),
                                                                     pattern->spec_end());
      for (clang::ClassTemplateSpecializationDecl* instance : instances) constructors(*instance);
    } else if (auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(decl)) {
      default_constructor(*record);
    } else if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(decl)) {
      for (clang::Decl* inner : space->decls()) visit(inner);
    } else if (auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(decl)) {
      for (clang::Decl* inner : linkage->decls()) visit(inner);
    }
  }

 private:
  void constructors(clang::ClassTemplateSpecializationDecl& record) {
    if (!record.hasDefinition() || record.getNumBases() == 0 || record.isInvalidDecl()) return;
    std::vector<clang::CXXConstructorDecl*> declared(record.ctor_begin(), record.ctor_end());
    for (clang::CXXConstructorDecl* constructor : declared) {
      const clang::FunctionDecl* pattern = constructor->getTemplateInstantiationPattern();
      const bool has_body = pattern != nullptr && pattern->hasBody();
      if (constructor->isDependentContext() || constructor->hasBody() || !has_body ||
          made_ == kMost)
        continue;
      ++made_;
      sema_.InstantiateFunctionDefinition(constructor->getLocation(), constructor,
                                          /*Recursive=*/true);
    }
  }

  void default_constructor(clang::CXXRecordDecl& record) {
    if (!record.isThisDeclarationADefinition() || record.isInvalidDecl() ||
        record.isDependentContext() || made_ == kMost ||
        (record.getNumBases() == 0 && !record.hasInClassInitializer()))
      return;
    clang::CXXConstructorDecl* constructor = sema_.LookupDefaultConstructor(&record);
    if (constructor == nullptr || !constructor->isDefaulted() || constructor->isDeleted() ||
        constructor->isInvalidDecl() || constructor->hasBody())
      return;
    ++made_;
    sema_.DefineImplicitDefaultConstructor(record.getLocation(), constructor);
  }

  clang::Sema& sema_;
  unsigned made_ = 0;
};

}  // namespace

void instantiate_constructors(clang::Sema& sema, std::vector<clang::Decl*> scope) {
  clang::DiagnosticsEngine& diagnostics = sema.getDiagnostics();
  const bool before = diagnostics.getSuppressAllDiagnostics();
  diagnostics.setSuppressAllDiagnostics(true);
  Instantiator instantiator(sema);
  for (clang::Decl* decl : scope) instantiator.visit(decl);
  diagnostics.setSuppressAllDiagnostics(before);
}

}  // namespace xfer::analyzer
