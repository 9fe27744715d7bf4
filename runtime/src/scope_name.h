#pragma once
// Names of scopes, which programs often number.

#include <string>
#include <string_view>

namespace xfer {

/// What all scopes of one place are called: "ProfilerStep" of "ProfilerStep#3", "batch" of
/// "batch 17/100", "block*.norm" of "block3.norm".
std::string without_numbers(std::string_view name);

}  // namespace xfer
