#pragma once
// The size of a page of memory.

#include <unistd.h>

#include <cstdint>

namespace xfer::tracer {

inline std::uint64_t page_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace xfer::tracer
