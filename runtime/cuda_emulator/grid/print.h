#pragma once
// printf of kernels.

#include <cstdint>
#include <string>

#include "kernels/frame.h"

namespace xfer::emulator::grid {

struct Printed {
  std::string text;
  std::int32_t arguments = 0;  ///< that the format took
};

/// `format` and `arguments` are addresses as the kernel knows them; the arguments lie there as
/// nvcc lays them out for vprintf, each aligned to its size. All that is no conversion is printed
/// as it is, and %n is left out.
Printed format_text(const kernels::Block& block, std::uintptr_t format, std::uintptr_t arguments);

}  // namespace xfer::emulator::grid
