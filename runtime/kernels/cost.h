#pragma once
// About what a thread of a kernel does, by its text alone.

#include <cstdint>

#include "ptx/module.h"

namespace xfer::kernels {

struct Cost {
  std::uint64_t length = 0;  ///< instructions of its text
  std::uint64_t instructions = 0;
  std::uint64_t bytes = 0;  ///< that it reads and writes of a device's memory
};

/// Those that run count eight times in each loop that they are in: between a label and a branch
/// back to it. Of instructions that can be run.
Cost cost_of(const ptx::Body& body);

}  // namespace xfer::kernels
