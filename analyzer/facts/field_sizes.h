#pragma once
// How much memory the pointers of a class or of a file have: of a field or a global variable that
// is allocated in one place, by fields and variables that nothing else changes. One walk over the
// unit's bodies, when first asked.

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/DenseMap.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

class FieldSizes {
 public:
  FieldSizes(clang::ASTContext& context, Types& types) : context_(context), types_(types) {}

  struct Size {
    const clang::Expr* made = nullptr;   ///< what allocates it
    const clang::Expr* count = nullptr;  ///< the bytes, or the elements ...
    std::uint64_t unit = 1;              ///< ... of so many bytes
    const clang::FunctionDecl* function = nullptr;
  };
  /// A variable of the allocating function in `Size::count`, as any other method can express it.
  struct Name {
    const clang::ValueDecl* kept = nullptr;  ///< a field or a global variable that holds the same
    const clang::Expr* value = nullptr;      ///< or it is this
  };

  /// Null: several places allocate it, or it may point elsewhere, or have another size by now.
  const Size* of(const clang::ValueDecl& pointer);
  const Name* name(const clang::VarDecl& variable) const;

 private:
  void find();

  clang::ASTContext& context_;
  Types& types_;
  bool found_ = false;
  llvm::DenseMap<const clang::ValueDecl*, Size> sizes_;
  llvm::DenseMap<const clang::VarDecl*, Name> names_;
};

/// The field of `this` that an expression names, or the variable of the file that no other file
/// sees; null: it names none.
const clang::ValueDecl* kept_by(const clang::Expr& expr);

}  // namespace xfer::analyzer
