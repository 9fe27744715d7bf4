#pragma once
// Variables that outlive every call: of namespaces and classes, and static ones of functions. To a
// program they are fields that it has itself.

#include <clang/AST/Decl.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// It holds a tensor, a module, or several of them, and may be given others. Constants and devices
/// are followed in other ways.
bool is_followed_global(const clang::VarDecl& variable, Types& types);

/// It has an initialiser that runs before main, and a type that is followed.
bool runs_before_main(const clang::VarDecl& variable, Types& types);

}  // namespace xfer::analyzer
