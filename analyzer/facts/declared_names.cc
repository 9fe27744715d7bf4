#include "analyzer/facts/declared_names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <map>

namespace xfer::analyzer {
namespace {

clang::DeclarationName name_of(llvm::StringRef part, const clang::DeclContext& context,
                               clang::ASTContext& ast) {
  if (part.consume_front("operator")) {
    static const std::map<llvm::StringRef, clang::OverloadedOperatorKind> operators = {
#define OVERLOADED_OPERATOR(Name, Spelling, Token, Unary, Binary, MemberOnly) \
  {Spelling, clang::OO_##Name},
#include <clang/Basic/OperatorKinds.def>
    };
    const auto found = operators.find(part);
    if (found != operators.end()) return ast.DeclarationNames.getCXXOperatorName(found->second);
    return {};
  }
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&context);
  if (record != nullptr && record->getName() == part)
    return ast.DeclarationNames.getCXXConstructorName(ast.getCanonicalTagType(record));
  return &ast.Idents.get(part);
}

bool declared(const clang::DeclContext& context, llvm::ArrayRef<llvm::StringRef> parts,
              clang::ASTContext& ast) {
  const clang::DeclarationName name = name_of(parts.front(), context, ast);
  if (name.isEmpty()) return false;
  for (const clang::NamedDecl* decl : context.lookup(name)) {
    if (parts.size() == 1) return true;
    const clang::Decl* scope = decl;
    if (const auto* alias = llvm::dyn_cast<clang::NamespaceAliasDecl>(decl))
      scope = alias->getNamespace();
    if (const auto* pattern = llvm::dyn_cast<clang::ClassTemplateDecl>(decl))
      scope = pattern->getTemplatedDecl();
    if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(scope)) {
      const clang::CXXRecordDecl* definition = record->getDefinition();
      if (definition != nullptr && declared(*definition, parts.drop_front(), ast)) return true;
    } else if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(scope)) {
      if (declared(*space, parts.drop_front(), ast)) return true;
    }
  }
  return false;
}

constexpr llvm::StringLiteral kVersions[] = {"_v2", "_v3", "_v4", ""};
/// Of programs whose default stream is each thread's own.
constexpr llvm::StringLiteral kOfThreads[] = {"_ptds", "_ptsz", ""};

}  // namespace

bool declares(clang::ASTContext& context, llvm::StringRef qualified_name) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  qualified_name.split(parts, "::");
  const clang::DeclContext& unit = *context.getTranslationUnitDecl();
  if (declared(unit, parts, context)) return true;
  if (parts.size() != 1 || !qualified_name.starts_with("cu")) return false;
  for (const llvm::StringRef version : kVersions)
    for (const llvm::StringRef threads : kOfThreads) {
      const std::string name = (qualified_name + version + threads).str();
      if (declared(unit, {name}, context)) return true;
    }
  return false;
}

std::string name_written(const clang::NamedDecl& decl) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
  std::string name = decl.getNameAsString();
  if (function == nullptr || !llvm::StringRef(name).starts_with("cu") || !function->isExternC())
    return name;
  llvm::StringRef written = name;
  for (const llvm::StringRef threads : kOfThreads)
    if (written.consume_back(threads)) break;
  for (const llvm::StringRef version : kVersions)
    if (written.consume_back(version)) break;
  return written.str();
}

}  // namespace xfer::analyzer
