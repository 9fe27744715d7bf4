#include "analyzer/facts/device_code.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// The sides that a function is for.
struct Sides {
  bool host = false;
  bool device = false;
};

/// The words before a name, from those that are nothing to a compiler of C++:
/// `__device__ static int`.
llvm::StringRef words_before_name(const clang::DeclaratorDecl& decl) {
  const clang::SourceManager& sources = decl.getASTContext().getSourceManager();
  const auto [file, name] = sources.getDecomposedExpansionLoc(decl.getLocation());
  const auto [begin_file, begin] = sources.getDecomposedExpansionLoc(decl.getBeginLoc());
  const std::optional<llvm::StringRef> text = sources.getBufferDataOrNone(file);
  if (!text || file != begin_file || begin > name) return {};
  llvm::StringRef before = text->take_front(begin);
  while (true) {
    const llvm::StringRef rest = before.rtrim();
    const llvm::StringRef shorter =
        rest.rtrim("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (!rest.substr(shorter.size()).starts_with("__")) break;
    before = shorter;
  }
  return text->slice(before.size(), name);
}

Sides sides_of(const clang::FunctionDecl& function) {
  const clang::ASTContext& context = function.getASTContext();
  if (context.getLangOpts().CUDA || context.getLangOpts().HIP)
    return {function.hasAttr<clang::CUDAHostAttr>(),
            function.hasAttr<clang::CUDADeviceAttr>() || function.hasAttr<clang::CUDAGlobalAttr>()};
  const llvm::StringRef words = words_before_name(function);
  return {words.contains("__host__"), words.contains("__device__") || words.contains("__global__")};
}

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

bool runs_on_host(const clang::FunctionDecl& function) {
  const Sides sides = sides_of(function);
  return sides.host || !sides.device;
}

bool runs_on_device(const clang::FunctionDecl& function) { return sides_of(function).device; }

bool is_on_device(const clang::VarDecl& variable) {
  // Clang knows no __managed__ but HIP's.
  return variable.hasAttr<clang::CUDADeviceAttr>() || variable.hasAttr<clang::CUDASharedAttr>() ||
         variable.hasAttr<clang::CUDAConstantAttr>() || variable.hasAttr<clang::HIPManagedAttr>() ||
         words_before_name(variable).contains("__managed__");
}

std::vector<clang::SourceRange> device_code(const clang::ASTContext& context,
                                            const std::vector<clang::Decl*>& scope) {
  std::vector<clang::SourceRange> found;
  for (const clang::Decl* decl : scope) add(*decl, context.getSourceManager(), found);
  return found;
}

}  // namespace xfer::analyzer
