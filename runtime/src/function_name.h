#pragma once
// Names of functions as people write them: demangled, without the parameters. Pure.

#include <string>
#include <string_view>

namespace xfer {

/// "_ZN1a1bIiEEvT_" -> "a::b<int>"; what is not mangled stays as it is.
std::string function_name(const char* symbol);

/// "void a::b<int>(int) const" -> "a::b<int>".
std::string without_parameters(std::string_view demangled);

}  // namespace xfer
