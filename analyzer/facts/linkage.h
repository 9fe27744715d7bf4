#pragma once
// The names under which units know each other's functions and classes. Functions have those that
// the linker goes by. Entities that only one unit can see (anonymous namespaces, static functions)
// have none, and neither has a function that any unit may bring along itself (inline ones, implicit
// instances of templates).

#include <clang/AST/Mangle.h>

#include <optional>
#include <string>

#include "analyzer/facts/unit.h"

namespace clang {
class ASTContext;
class CXXRecordDecl;
class Decl;
class FunctionDecl;
class VarDecl;
}  // namespace clang

namespace xfer::analyzer {

class LinkNames {
 public:
  /// Files below `root` are named from there.
  LinkNames(clang::ASTContext& context, std::string root)
      : context_(context), root_(std::move(root)), mangler_(context) {}

  /// Under which other units can call a function that this unit defines; empty: they cannot.
  std::string of_definition(const clang::FunctionDecl& function);
  /// Under which another unit may define a function that has no body here; empty: none can.
  std::string of_declaration(const clang::FunctionDecl& function);
  /// Under which all units that have the function know it; empty: no other unit has it.
  std::string identity(const clang::FunctionDecl& function);
  std::string identity(const clang::VarDecl& global);
  /// The project's own files declare it.
  bool in_project(const clang::Decl& decl) const;
  /// Of the unit's main file, with a `/` at its end; empty: it lies at the root.
  std::string main_folder() const;
  /// "file:line" of what is declared.
  std::string place_of(const clang::Decl& decl) const;
  /// The same of a class, with the place of its definition: two programs may have different ones of
  /// one name.
  std::string identity(const clang::CXXRecordDecl& record) const;
  std::optional<ClassKey> of_class(const clang::CXXRecordDecl& record) const;

 private:
  llvm::StringRef path_of(clang::FileEntryRef file) const;
  std::optional<ClassKey> location_of(const clang::Decl& decl) const;
  std::optional<ClassKey> key_of(const clang::CXXRecordDecl& record) const;

  const clang::ASTContext& context_;
  std::string root_;
  clang::ASTNameGenerator mangler_;
};

}  // namespace xfer::analyzer
