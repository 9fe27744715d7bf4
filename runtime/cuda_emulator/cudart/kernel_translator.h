#pragma once
// libxfer_kernels.so, which makes code of PTX. It is large, so it is loaded at the first kernel
// that needs it, from beside this library.

#include <cstdint>
#include <string>

#include "kernels/kernels.h"

namespace xfer::emulator {

/// Null: it is not there; *why says so.
kernels::LoadProgram kernel_translator(std::string* why);
/// How many kernels it translated in this process, kernels::translations().
std::uint64_t kernel_translations();

}  // namespace xfer::emulator
