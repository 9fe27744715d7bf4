#pragma once
// Who decides on which device a function works: the parameters and fields that its choice rests on.

#include <clang/AST/Decl.h>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// Of what is chosen in the function.
Deciders deciders_of(const clang::FunctionDecl& function, Types& types);

}  // namespace xfer::analyzer
