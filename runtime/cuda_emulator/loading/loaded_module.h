#pragma once

#include <cstdint>
#include <string>

namespace xfer::emulator {

/// The program or a library of it, as it lies in memory.
struct LoadedModule {
  std::string path;
  std::uintptr_t bias;  ///< of its addresses in memory
  const void* dynamic;  ///< its table of ElfW(Dyn); null: it was loaded with the program
};

}  // namespace xfer::emulator
