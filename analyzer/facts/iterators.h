#pragma once
// Local iterators, and the lists and maps that they are into.

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// The iterators of one function that it reads through, moves on and compares, and does nothing
/// else with: what stands behind one is an element of a list that is known.
class Iterators {
 public:
  explicit Iterators(Types& types) : types_(&types) {}
  Iterators(const clang::Stmt& body, const clang::FunctionDecl& function, Types& types);

  /// The list of which the expression is an element: of `*it`, `it->`, `it[1]`, `*v.begin()`, and
  /// of `it->second` for a map. Null: not known.
  const clang::Expr* list_of(const clang::Expr& element) const;
  /// A call that makes an iterator (`v.begin()`) by which nobody changes the list unseen.
  bool is_followed(const clang::Expr& made) const { return followed_.contains(&made); }

 private:
  class Scan;
  /// The list or map that an iterator points into; null: not known.
  const clang::Expr* behind(const clang::Expr* iterator) const;

  Types* types_;
  llvm::DenseMap<const clang::VarDecl*, const clang::Expr*> lists_;
  llvm::DenseSet<const clang::Expr*> followed_;
};

}  // namespace xfer::analyzer
