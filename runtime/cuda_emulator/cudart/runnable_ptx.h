#pragma once
// Which PTX of a program's device code an emulated device runs.

#include <optional>
#include <string>
#include <string_view>

#include "machine/options.h"

namespace xfer::emulator {

/// As ptx_to_run() of the device's capability. Where nobody asked for that capability, code that is
/// for newer devices alone runs, too: the oldest of it.
std::optional<std::string> runnable_ptx(const Options& options, std::string_view image,
                                        std::string* why);

/// NVIDIA's library of functions that kernels call, as their translation has them anyway.
inline bool is_device_runtime(std::string_view file) { return file.ends_with("libcudadevrt.a"); }

}  // namespace xfer::emulator
