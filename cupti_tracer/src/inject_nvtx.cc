// NVTX's way in: it loads the library that NVTX_INJECTION64_PATH names and looks for this.

#include "nvtx.h"

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    xfer::tracer::NvtxTables tables) {
  return xfer::tracer::take_nvtx(tables);
}
