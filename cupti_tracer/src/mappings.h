#pragma once
// This process's mappings, in the order of their addresses, as the kernel lists them.

#include <cstdint>
#include <functional>
#include <string_view>

namespace xfer::tracer {

struct Mapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t inode = 0;  ///< 0: no file
  bool readable = false;
  bool is_data = false;  ///< read and written, not executed, and this process's own
  bool special = false;  ///< the kernel's own: [vvar], [vsyscall]
};

/// Of a line of the list: "55d0c8a00000-55d0c8a21000 rw-p 00000000 00:00 0    [heap]". False: it is
/// none.
bool parse_mapping(std::string_view line, Mapping& mapping);

/// Until `use` says false. Nothing where /proc cannot be read. Thread-safe, allocates nothing.
void read_mappings(const std::function<bool(const Mapping&)>& use);

}  // namespace xfer::tracer
