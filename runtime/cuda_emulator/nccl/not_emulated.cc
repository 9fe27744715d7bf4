// The rest of NCCL's functions: each says once that it is not emulated.

#include <atomic>

#include "machine/say.h"
#include "nccl/abi.h"

namespace {

ncclResult_t say_not_emulated(const char* name, std::atomic<bool>& said) {
  if (!said.exchange(true))
    xfer::emulator::say("xfercheck: {} is not emulated; it returns ncclInvalidUsage\n", name);
  return ncclInvalidUsage;
}

}  // namespace

// As other libraries' stubs they have another signature than NCCL's header says.
#define XFER_NCCL_NOT_EMULATED(name)      \
  extern "C" ncclResult_t name() {        \
    static std::atomic<bool> said{false}; \
    return say_not_emulated(#name, said); \
  }                                       \
  XFER_NCCL_TWIN(name);
#include "nccl/not_emulated.def"
