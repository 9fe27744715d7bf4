// A library with an NVTX of its own: of the program's, or by its file's name one of CUDA's.

#include <nvtx3/nvToolsExt.h>

extern "C" __attribute__((visibility("default"))) void in_a_range(void (*work)(void*), void* of) {
  nvtxRangePushA("inside");
  work(of);
  nvtxRangePop();
}
