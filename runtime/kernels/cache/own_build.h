#pragma once
// Which build of this library it is that runs.

#include <string_view>

namespace xfer::kernels {

/// The build ID (--build-id) that the linker made from the contents of the library or program that
/// this function is in. Empty: none.
std::string_view own_build();

}  // namespace xfer::kernels
