#include "analyzer/facts/linkage.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

namespace xfer::analyzer {

std::string LinkNames::of_definition(const clang::FunctionDecl& function) {
  // Another definition may replace a weak one.
  if (function.isInlined() || function.hasAttr<clang::WeakAttr>() ||
      function.getTemplateSpecializationKind() == clang::TSK_ImplicitInstantiation)
    return {};
  return of_declaration(function);
}

std::string LinkNames::of_declaration(const clang::FunctionDecl& function) {
  if (!function.isExternallyVisible() || function.isImplicit() || function.isDefaulted() ||
      function.isDeleted() || function.isDependentContext() || function.getBuiltinID() != 0)
    return {};
  return mangler_.getName(&function);
}

std::string LinkNames::identity(const clang::FunctionDecl& function) {
  if (!function.isExternallyVisible() || function.isDependentContext() ||
      function.getBuiltinID() != 0)
    return {};
  return mangler_.getName(&function);
}

std::string LinkNames::identity(const clang::VarDecl& global) {
  return global.isExternallyVisible() ? mangler_.getName(&global) : std::string();
}

std::string LinkNames::identity(const clang::CXXRecordDecl& record) const {
  const std::optional<ClassKey> key = key_of(record);
  if (!key) return {};
  std::string identity = key->file + ":" + std::to_string(key->line) + ":" + key->name;
  if (const auto* instance =
          llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record.getDefinition())) {
    llvm::raw_string_ostream out(identity);
    clang::printTemplateArgumentList(out, instance->getTemplateArgs().asArray(),
                                     context_.getPrintingPolicy());
  }
  return identity;
}

std::optional<ClassKey> LinkNames::of_class(const clang::CXXRecordDecl& record) const {
  if (llvm::isa_and_nonnull<clang::ClassTemplateSpecializationDecl>(record.getDefinition()))
    return std::nullopt;
  return key_of(record);
}

std::optional<ClassKey> LinkNames::key_of(const clang::CXXRecordDecl& record) const {
  const clang::CXXRecordDecl* definition = record.getDefinition();
  if (definition == nullptr || !definition->isExternallyVisible() ||
      definition->getParentFunctionOrMethod() != nullptr)
    return std::nullopt;
  std::optional<ClassKey> key = location_of(*definition);
  if (key) key->name = definition->getQualifiedNameAsString();
  return key;
}

bool LinkNames::in_project(const clang::Decl& decl) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::SourceLocation at = sources.getFileLoc(decl.getLocation());
  const std::optional<ClassKey> place = location_of(decl);
  return place && !sources.isInSystemHeader(at) &&
         (root_.empty() || !llvm::StringRef(place->file).starts_with("/"));
}

std::string LinkNames::place_of(const clang::Decl& decl) const {
  const std::optional<ClassKey> place = location_of(decl);
  return place ? place->file + ":" + std::to_string(place->line) : std::string();
}

/// File and line.
std::optional<ClassKey> LinkNames::location_of(const clang::Decl& decl) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::SourceLocation at = sources.getFileLoc(decl.getLocation());
  const clang::OptionalFileEntryRef file = sources.getFileEntryRefForID(sources.getFileID(at));
  if (!file) return std::nullopt;
  return ClassKey{{}, path_of(*file).str(), sources.getSpellingLineNumber(at)};
}

/// From the root, where it lies below that.
llvm::StringRef LinkNames::path_of(clang::FileEntryRef file) const {
  llvm::StringRef path = file.getFileEntry().tryGetRealPathName();
  if (path.empty()) path = file.getName();
  if (!root_.empty() && path.consume_front(root_)) path.consume_front("/");
  return path;
}

std::string LinkNames::main_folder() const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::OptionalFileEntryRef file = sources.getFileEntryRefForID(sources.getMainFileID());
  const llvm::StringRef path = file ? path_of(*file) : llvm::StringRef();
  return path.take_front(path.rfind('/') + 1).str();
}

}  // namespace xfer::analyzer
