// Which rows of the models name nothing that the headers declare.

#include "analyzer/facts/check_models.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/VersionTuple.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

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

/// The files that a unit read.
class IncludedHeaders {
 public:
  explicit IncludedHeaders(const clang::SourceManager& sources) {
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file)
      paths_.push_back(("/" + file->first.getName()).str());
  }
  bool has(const std::string& header) const {
    return std::ranges::any_of(paths_,
                               [&](llvm::StringRef path) { return path.ends_with("/" + header); });
  }

 private:
  std::vector<std::string> paths_;
};

std::optional<unsigned> macro_value(clang::Preprocessor& preprocessor, llvm::StringRef name) {
  const clang::MacroInfo* macro = preprocessor.getMacroInfo(preprocessor.getIdentifierInfo(name));
  unsigned value = 0;
  if (macro == nullptr || macro->getNumTokens() != 1 ||
      llvm::StringRef(preprocessor.getSpelling(macro->getReplacementToken(0)))
          .getAsInteger(10, value))
    return std::nullopt;
  return value;
}

/// Empty if the library has no version macros, or its headers define none.
llvm::VersionTuple version_of(const LibraryModel& library, clang::Preprocessor& preprocessor) {
  if (library.version_macros.empty()) return {};
  const auto major = macro_value(preprocessor, library.version_macros[0]);
  const auto minor = macro_value(preprocessor, library.version_macros[1]);
  return major && minor ? llvm::VersionTuple(*major, *minor) : llvm::VersionTuple();
}

/// Without a known version every row applies.
bool applies(const ModelRow& row, const llvm::VersionTuple& version) {
  llvm::VersionTuple since, until;
  if (version.empty()) return true;
  if (!row.since.empty() && !since.tryParse(row.since) && version < since) return false;
  return row.until.empty() || until.tryParse(row.until) || version <= until;
}

class Checker {
 public:
  Checker(clang::Preprocessor& preprocessor, clang::ASTContext& ast, const ModelSet& models)
      : ast_(ast), headers_(ast.getSourceManager()) {
    std::set<std::string> declaring;
    for (const FunctionModel& model : models.functions())
      if (is_declared(model)) declaring.insert(model.library);
    for (const LibraryModel& library : models.libraries()) {
      const bool present =
          library.headers.empty()
              ? declaring.contains(library.name)
              : std::ranges::all_of(library.headers, [&](const std::string& header) {
                  return headers_.has(header);
                });
      if (!present) continue;
      const llvm::VersionTuple version = version_of(library, preprocessor);
      versions_[library.name] = version;
      result_.libraries.push_back(library.name +
                                  (version.empty() ? "" : " " + version.getAsString()));
    }
    for (const TypeModel& model : models.types())
      add(model, "type " + model.base, "no type " + model.name);
    for (const FunctionModel& model : models.functions()) {
      if (!model.general()) add(model, "name " + model.base, "no " + model.name);
      if (!model.scope.empty())
        add(model, "scope " + model.scope, "nothing of this row in " + model.scope);
    }
  }

  ModelCheck take() {
    for (const auto& [key, group] : groups_)
      if (!group.declared && !group.may_lack) result_.unmatched.push_back(group.text);
    result_.unchecked.assign(unchecked_.begin(), unchecked_.end());
    return std::move(result_);
  }

 private:
  /// A name of a row must be declared in one of the row's scopes, and each scope must declare one
  /// of its names: a class that is misspelt is found as a function is.
  struct Group {
    bool declared = false;
    bool may_lack = false;
    std::string text;
  };

  void add(const ModelRow& row, const std::string& what, const std::string& complaint) {
    const auto version = versions_.find(row.library);
    if (version == versions_.end() || !applies(row, version->second)) return;
    const std::string place = row.file + ":" + std::to_string(row.line) + ": ";
    if (!row.header.empty() && !headers_.has(row.header)) {
      unchecked_.insert(place + "needs <" + row.header + ">");
      return;
    }
    Group& group = groups_[{row.library, row.file, row.line, what}];
    group.declared = group.declared || is_declared(row);
    group.may_lack = row.may_lack;
    if (group.text.empty()) group.text = place + row.library + " declares " + complaint;
  }

  bool is_declared(const ModelRow& row) {
    const auto [known, is_new] = declared_.try_emplace(row.name, false);
    if (is_new) {
      llvm::SmallVector<llvm::StringRef, 8> parts;
      llvm::StringRef(row.name).split(parts, "::");
      if (row.general()) parts.pop_back();
      known->second = declared(*ast_.getTranslationUnitDecl(), parts, ast_);
    }
    return known->second;
  }

  clang::ASTContext& ast_;
  IncludedHeaders headers_;
  std::map<std::string, llvm::VersionTuple> versions_;
  std::map<std::string, bool> declared_;
  std::map<std::tuple<std::string, std::string, unsigned, std::string>, Group> groups_;
  std::set<std::string> unchecked_;
  ModelCheck result_;
};

}  // namespace

ModelCheck check_models(clang::Preprocessor& preprocessor, clang::ASTContext& context,
                        const ModelSet& models) {
  return Checker(preprocessor, context, models).take();
}

}  // namespace xfer::analyzer
