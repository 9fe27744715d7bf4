#pragma once
// A kernel's use of the memory that its parameters point to, as far as its body here tells.

#include <clang/AST/Decl.h>

#include <vector>

#include "analyzer/facts/pointer_use.h"

namespace xfer::analyzer {

/// Of each parameter, in their order.
std::vector<ParameterUse> parameter_uses(const clang::FunctionDecl& function);

}  // namespace xfer::analyzer
