#pragma once
// Where the parts of xfercheck lie, found from this program's own place: in the build tree and in
// an installation alike.

#include <filesystem>
#include <optional>

namespace xfer::launcher {

/// libxfertrace.so.
std::optional<std::filesystem::path> tracer_library();
/// The folder of the emulated libcudart.
std::optional<std::filesystem::path> emulator_folder();

}  // namespace xfer::launcher
