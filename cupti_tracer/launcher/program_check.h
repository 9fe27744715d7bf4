#pragma once
// Looks at a program before it is run on emulated devices: the emulated CUDA runtime takes the
// place of a shared libcudart, or of one that is linked in and has names.

#include <optional>
#include <string>

namespace xfer::launcher {

/// One line that says why the emulator cannot serve this program; none when it may. Reads the ELF
/// file only; a script, or a program that is not found, passes.
std::optional<std::string> why_not_emulated(const std::string& program);

/// The program has the CUDA runtime linked in and was stripped, so no other can take its place.
bool has_sealed_runtime(const std::string& program);

}  // namespace xfer::launcher
