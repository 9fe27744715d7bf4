// Finds the rows of the models that name nothing that the headers declare.

#include "analyzer/facts/check_models.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/VersionTuple.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "analyzer/facts/declared_names.h"

namespace xfer::analyzer {
namespace {

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
      const llvm::StringRef name = row.name;
      known->second = declares(ast_, row.general() ? name.rsplit("::").first : name);
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
