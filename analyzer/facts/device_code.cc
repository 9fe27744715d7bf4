#include "analyzer/facts/device_code.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/read_unit.h"

namespace xfer::analyzer {
namespace {

void add(const clang::Decl& decl, const clang::SourceManager& sources,
         std::vector<clang::SourceRange>& found) {
  if (is_in_system_header(decl)) return;
  const clang::FunctionDecl* function = decl.getAsFunction();  // of a template its pattern
  if (function != nullptr) {
    if (!analyzer::runs_on_host(*function) && function->isThisDeclarationADefinition())
      found.emplace_back(sources.getFileLoc(function->getBeginLoc()),
                         sources.getFileLoc(function->getEndLoc()));
    return;
  }
  const auto* record = llvm::dyn_cast<clang::ClassTemplateDecl>(&decl);
  const auto* context =
      record == nullptr ? llvm::dyn_cast<clang::DeclContext>(&decl) : record->getTemplatedDecl();
  if (context == nullptr) return;
  for (const clang::Decl* member : context->noload_decls()) add(*member, sources, found);
}

}  // namespace

std::vector<clang::SourceRange> device_code(const clang::ASTContext& context,
                                            const std::vector<clang::Decl*>& scope) {
  std::vector<clang::SourceRange> found;
  for (const clang::Decl* decl : scope) add(*decl, context.getSourceManager(), found);
  return found;
}

}  // namespace xfer::analyzer
