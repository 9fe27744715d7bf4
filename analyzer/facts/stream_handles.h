#pragma once
// Variables and fields of a unit that hold streams of their own: the runtime makes a stream there,
// and nothing else gives them one. Done when first asked; costs one visit of the bodies.

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/DenseMap.h>

#include <optional>
#include <vector>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

class StreamHandles {
 public:
  StreamHandles(clang::ASTContext& context, Types& types) : context_(context), types_(types) {}

  /// Any makes a stream here.
  bool any_own();
  /// The streams that it holds are no others'.
  bool is_own(const clang::ValueDecl* handle);
  /// They go on beside the default stream.
  bool is_non_blocking(const clang::ValueDecl* handle);
  /// It keeps the value that it starts with.
  bool is_constant(const clang::VarDecl& variable);

  /// The uses of a variable or a field in the code of the unit.
  struct Handle {
    std::vector<std::optional<std::int64_t>> made;  ///< the elements for which streams are made
    bool constructed = false;                       ///< ... by the constructors of its class
    bool non_blocking = true;
    unsigned uses = 0, harmless = 0;

    bool is_left_alone() const { return uses == harmless; }
  };
  using Found = llvm::DenseMap<const clang::ValueDecl*, Handle>;

 private:
  const Found& found();

  clang::ASTContext& context_;
  Types& types_;
  std::optional<Found> found_;
};

}  // namespace xfer::analyzer
