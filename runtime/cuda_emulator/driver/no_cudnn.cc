// libxfer_no_cudnn.so: cuDNN is not emulated, and its own way to say that it finds no driver helps
// nobody. This stands before its first call.

#include <atomic>

#include "machine/say.h"

extern "C" __attribute__((visibility("default"))) int cudnnCreate(void**) {
  constexpr int kNotInitialized = 1001;
  static std::atomic<bool> said{false};
  if (!said.exchange(true))
    xfer::emulator::say(
        "xfercheck: cuDNN is not emulated: cudnnCreate returns CUDNN_STATUS_NOT_INITIALIZED; "
        "PyTorch does without it after torch.backends.cudnn.enabled = False\n");
  return kNotInitialized;
}
