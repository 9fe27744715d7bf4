#pragma once
// Where the code of translated kernels is kept from run to run.

#include <string>

#include "machine/options.h"

namespace xfer::emulator {

/// The directory: what the option says, else the user's, by the two variables of the environment
/// that name it (null: unset). Empty: code is not kept.
std::string kernel_cache_directory(const Options& options, const char* xdg_cache_home,
                                   const char* home);

}  // namespace xfer::emulator
