#pragma once
// `if (gpu >= 0) device = torch::Device(torch::kCUDA, gpu); else device = torch::kCPU;`: the one
// choice between devices that a function makes, where one flag or number makes it.

#include <clang/AST/Decl.h>

#include <optional>

#include "analyzer/facts/choice.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

class Picks {
 public:
  Picks(const clang::FunctionDecl& function, Types& types) : function_(function), types_(types) {}

  /// The function chooses between two sides; null: it does not name that one.
  void add(const clang::Expr& condition, const clang::Stmt* yes, const clang::Stmt* no);
  /// It chooses between more than two.
  void add_many() { choices_ += 2; }

  /// None: it makes several choices, or none, or one that asks for more than one thing that
  /// decides: of what the function itself makes of that, the value says nothing.
  std::optional<Pick> take(const Deciders& deciding) const;

 private:
  const clang::FunctionDecl& function_;
  Types& types_;
  unsigned choices_ = 0;
  const clang::ValueDecl* asked_ = nullptr;  ///< by the last choice
  Pick pick_;
};

}  // namespace xfer::analyzer
