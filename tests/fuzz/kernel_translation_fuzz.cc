// Any text as PTX: its kernels are translated, and never run. The translations stay in memory, so
// that a long run needs much of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/kernels.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMost = 8192;  // bytes: the optimiser's time grows faster than the text
  if (size > kMost) return 0;
  std::string why;
  const std::unique_ptr<xfer::kernels::Program> program(
      xfer::kernels::load_program({std::string(reinterpret_cast<const char*>(data), size)}, &why));
  if (program == nullptr) return 0;
  for (const std::string& kernel : program->kernels())
    program->code(kernel, xfer::kernels::Extra::kNone, &why);
  return 0;
}
