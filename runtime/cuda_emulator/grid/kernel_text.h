#pragma once
// Text in a kernel's memory.

#include <cstdint>
#include <string>

#include "kernels/frame.h"

namespace xfer::emulator::grid {

/// The text at the kernel's `address`, up to its first 0 or to a length that no text has. `most`:
/// bytes to read at most. Empty for address 0.
inline std::string kernel_text(const kernels::Block& block, std::uintptr_t address,
                               std::size_t most = std::size_t{1} << 20) {
  if (address == 0) return {};
  const auto* const text = reinterpret_cast<const char*>(kernels::reachable(block, address));
  std::size_t length = 0;
  while (length < most && text[length] != '\0') ++length;
  return {text, length};
}

}  // namespace xfer::emulator::grid
