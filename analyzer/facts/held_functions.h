#pragma once
// The functions that variables, fields and parameters hold: whatever the unit's code puts there.

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

struct HeldFunctions {
  struct Held {
    llvm::SetVector<const clang::FunctionDecl*> functions;
    llvm::SetVector<const clang::ValueDecl*> from;  ///< it holds what these hold
    bool open = false;                              ///< or any other function
  };
  llvm::MapVector<const clang::ValueDecl*, Held> holders;
  /// Functions that are given to code that is not followed: anybody may call them.
  llvm::SetVector<const clang::FunctionDecl*> given_away;
};

/// Of the unit's own code.
HeldFunctions find_held_functions(clang::ASTContext& context, Types& types);

}  // namespace xfer::analyzer
