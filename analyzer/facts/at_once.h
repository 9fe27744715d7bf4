#pragma once
// Which functions of the system and of the C++ standard library wait for no device.

#include <clang/AST/Decl.h>

namespace xfer::analyzer {

/// The function's own work is done when it returns, it runs nothing of the program, and it waits
/// for no other thread: what devices had to do before, they may still have to do.
bool returns_at_once(const clang::FunctionDecl& callee);

}  // namespace xfer::analyzer
