#pragma once
// Which build of this library it is that runs.

#include <string_view>

namespace xfer::kernels {

/// What the linker wrote into the library or program that this function is in, by its contents
/// (--build-id). Empty: nothing.
std::string_view own_build();

}  // namespace xfer::kernels
