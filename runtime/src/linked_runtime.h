#pragma once
// NVIDIA's CUDA runtime inside a program or a library: nvcc links it in statically unless it is
// told otherwise. The functions have names as long as nobody strips the file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xfer {

struct LinkedFunction {
  std::string name;
  std::uint64_t address;  ///< in the file
  std::uint64_t room;     ///< bytes up to the next function
};

struct LinkedRuntime {
  /// Those that programs call, by their addresses. None: no runtime is linked in, or the file was
  /// stripped.
  std::vector<LinkedFunction> functions;
  /// CUDA 13's or a later one's: some functions of older ones take other arguments.
  bool has_current_calls = false;
};

/// Of an ELF file's bytes.
LinkedRuntime linked_runtime(std::string_view file);

}  // namespace xfer
