#pragma once
// Names as a person writes them.

#include <string>

namespace xfer::emulator {

/// The name itself when it is not a mangled one.
std::string demangle(const char* name);

}  // namespace xfer::emulator
