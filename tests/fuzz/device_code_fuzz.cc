// Any bytes as a program's device code, and as the PTX of a kernel.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/fat_binary.h"
#include "src/ptx_access.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string& text : xfer::ptx_of_section(bytes)) xfer::kernel_access(text, "k");
  xfer::kernel_access(bytes, "k");
  return 0;
}
