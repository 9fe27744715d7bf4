#pragma once
// What a kernel does with the memory that its parameters point to, as far as its body here tells.

#include <clang/AST/Decl.h>

#include <vector>

namespace xfer::analyzer {

/// Of one parameter; of a function without a body what its declaration says.
struct PointerUse {
  bool only_reads = false;  ///< it writes nothing there
  bool writes = false;      ///< it writes there, on some path
  /// It reads there what was there before the call, whatever else it is given: `y[i] = a * x[i] +
  /// y[i]`.
  bool reads_first = false;
};

/// Of each parameter, in their order.
std::vector<PointerUse> pointer_uses(const clang::FunctionDecl& function);

}  // namespace xfer::analyzer
