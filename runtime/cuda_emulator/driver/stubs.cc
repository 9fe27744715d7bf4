// The driver's functions that are not emulated, by the names that the toolkit's headers list.

#include <atomic>

#include "machine/say.h"

namespace {

int say_not_supported(const char* name, std::atomic<bool>& said) {
  constexpr int kNotSupported = 801;
  if (!said.exchange(true))
    xfer::emulator::say("xfercheck: {} is not emulated; it returns CUDA_ERROR_NOT_SUPPORTED\n",
                        name);
  return kNotSupported;
}

}  // namespace

extern "C" {
#define XFER_DRIVER_CALL(name)             \
  __attribute__((weak)) int name() {       \
    static std::atomic<bool> said{false};  \
    return say_not_supported(#name, said); \
  }
#include "emulator_driver_calls.inc"
#undef XFER_DRIVER_CALL
}
