#pragma once
// The parameters and fields that decide on which device a function works.

#include <clang/AST/Decl.h>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// The deciders of all choices in the function.
Deciders deciders_of(const clang::FunctionDecl& function, Types& types);

}  // namespace xfer::analyzer
