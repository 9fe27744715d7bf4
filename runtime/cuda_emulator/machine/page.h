#pragma once
// The size of a page of memory.

#include <unistd.h>

#include <cstdint>

namespace xfer::emulator {

inline std::uintptr_t page_bytes() {
  static const auto bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace xfer::emulator
