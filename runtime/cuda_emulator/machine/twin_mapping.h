#pragma once
// Memory that is mapped at two addresses. No file stays open for it, and a limit on the size of
// files (RLIMIT_FSIZE), which counts a memfd's bytes, does not keep it from being made.

#include <cstddef>
#include <cstdint>

namespace xfer::emulator {

/// Maps the same `bytes` of zeroed memory, readable and writable, at both addresses, in place of
/// what is mapped there. Null, or the call that failed, with errno set.
const char* map_twice(std::uintptr_t first, std::uintptr_t second, std::size_t bytes);

/// Gives the pages back: both views read as zeros. `view` is one that can be written and that is
/// not locked; whole pages.
void drop_pages(std::uintptr_t view, std::size_t bytes);

}  // namespace xfer::emulator
