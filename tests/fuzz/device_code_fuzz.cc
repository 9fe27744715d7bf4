// Any bytes as a program's device code, and as PTX.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ptx/instructions.h"
#include "ptx/reader.h"
#include "src/device_image.h"
#include "src/fat_binary.h"
#include "src/ptx_access.h"

namespace {

void read(std::string_view text) {
  const xfer::ptx::Module module = xfer::ptx::read_module(text);
  for (const auto& [name, function] : module.functions) {
    xfer::kernel_access(module, name);
    try {
      for (const auto& instruction : xfer::ptx::read_body(function).instructions)
        xfer::ptx::wrong_with(instruction);
    } catch (const xfer::ptx::Fault&) {
      // Named with its line, and left.
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string& text : xfer::ptx_of_section(bytes)) read(text);
  if (const auto text = xfer::ptx_to_run(bytes, 90, nullptr)) read(*text);
  xfer::architectures_of(bytes);
  read(bytes);
  return 0;
}
