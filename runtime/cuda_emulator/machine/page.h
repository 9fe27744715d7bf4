#pragma once
// The size of a page of memory, and of whole ones.

#include <unistd.h>

#include <cstdint>

namespace xfer::emulator {

inline std::uintptr_t page_bytes() {
  static const auto bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

inline std::uintptr_t whole_pages(std::uintptr_t bytes) {
  return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

}  // namespace xfer::emulator
