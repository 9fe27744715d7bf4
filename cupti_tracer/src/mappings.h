#pragma once
// This process's mappings, in the order of their addresses, as the kernel lists them.

#include <cstdint>
#include <functional>

namespace xfer::tracer {

struct Mapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t inode = 0;  ///< 0: no file
  bool readable = false;
  bool special = false;  ///< the kernel's own: [vvar], [vsyscall]
};

/// Until `use` says false. Nothing where /proc cannot be read. Thread-safe, allocates nothing.
void read_mappings(const std::function<bool(const Mapping&)>& use);

}  // namespace xfer::tracer
