#pragma once
// Reads PTX, of any version that nvcc 12 and 13 write. Any text is taken: what is wrong with it is
// a Fault with its line.
//
// Cost: linear in the text; a body is read when it is asked for.

#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace xfer::ptx {

/// Variables and functions, without their bodies. A declaration that cannot be read is a fault, and
/// left out. Of a text with several modules, the first.
Module read_module(std::string_view text);
/// Each `.version` begins one.
std::vector<Module> read_modules(std::string_view text);

/// Reads the body of a function. Throws Fault.
Body read_body(const Function& function);

}  // namespace xfer::ptx
