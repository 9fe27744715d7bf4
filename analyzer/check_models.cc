// Which rows of the models name nothing that the headers declare.

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/analyze.h"

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

}  // namespace

std::vector<std::string> unmatched_models(clang::ASTContext& context, const ModelSet& models) {
  struct Row {
    bool matched = false;
    std::string text;
  };
  // The expansions of one name of one row: one declaration is enough.
  std::map<std::tuple<std::string, unsigned, std::string, std::string>, Row> rows;
  std::set<std::string> present;
  for (const FunctionModel& model : models.functions()) {
    llvm::SmallVector<llvm::StringRef, 8> parts;
    llvm::StringRef(model.name).split(parts, "::");
    Row& row = rows[{model.library, model.line, model.file, parts.back().str()}];
    if (declared(*context.getTranslationUnitDecl(), parts, context)) {
      row.matched = true;
      present.insert(model.library);
    }
    row.text = model.file + ":" + std::to_string(model.line) + ": " + model.library +
               " declares no " + model.name;
  }
  std::vector<std::string> unmatched;
  for (const auto& [key, row] : rows)
    if (!row.matched && present.count(std::get<0>(key)) != 0) unmatched.push_back(row.text);
  return unmatched;
}

}  // namespace xfer::analyzer
