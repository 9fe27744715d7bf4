#pragma once
// What a kernel, or a function that it calls, does with the memory that a parameter points to, as
// far as its body here tells.

#include <clang/AST/Decl.h>

namespace xfer::analyzer {

/// It writes nothing there.
bool only_reads(const clang::FunctionDecl& function, unsigned parameter);

/// It reads there what was there before the call, whatever else it is given: `y[i] = a * x[i] +
/// y[i]`. Of a function without a body what its declaration says of the parameter.
bool reads_first(const clang::FunctionDecl& function, unsigned parameter);

}  // namespace xfer::analyzer
