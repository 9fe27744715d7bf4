// libxfer_no_cudnn.so: cuDNN is not emulated, and its own way to say that it finds no driver helps
// nobody. This stands before its first call. Where PyTorch's operators compute without it, nothing
// is to be said.

#include <atomic>

#include "machine/hooks.h"
#include "machine/say.h"

extern "C" __attribute__((visibility("default"))) int cudnnCreate(void**) {
  constexpr int kNotInitialized = 1001;
  static std::atomic<bool> said{false};
  if (xfer_emulator_is_dry() == 0 && !said.exchange(true))
    xfer::emulator::say(
        "xfercheck: cuDNN is not emulated: cudnnCreate returns CUDNN_STATUS_NOT_INITIALIZED; "
        "PyTorch does without it after torch.backends.cudnn.enabled = False\n");
  return kNotInitialized;
}
