// Fills, by values of one, two and four bytes. Widths count values.

#include "driver/driver.h"

using namespace xfer::emulator::driver;

namespace {

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
constexpr bool kPerThread = true;
#else
constexpr bool kPerThread = false;
#endif

template <typename Value>
CUresult fill(CUdeviceptr to, size_t pitch, Value value, size_t width, size_t height, bool async,
              cudaStream_t stream) {
  const xfer_emulator_wide_fill wide{pointer(to),           pitch,  value, sizeof(value),
                                     width * sizeof(value), height, async, kPerThread};
  return forward([&] { return xfer_emulator_fill(&wide, stream); });
}

CUresult fill(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
              bool async, cudaStream_t stream) {
  return forward([&] {
    if (height == 1)
      return async ? cudaMemsetAsync(pointer(to), value, width, stream)
                   : cudaMemset(pointer(to), value, width);
    return async ? cudaMemset2DAsync(pointer(to), pitch, value, width, height, stream)
                 : cudaMemset2D(pointer(to), pitch, value, width, height);
  });
}

}  // namespace

extern "C" {

#define XFER_DRIVER_FILLS(BITS, VALUE)                                                       \
  CUresult cuMemsetD##BITS(CUdeviceptr to, VALUE value, size_t N) {                          \
    return fill(to, N * sizeof(value), value, N, 1, false, nullptr);                         \
  }                                                                                          \
  CUresult cuMemsetD##BITS##Async(CUdeviceptr to, VALUE value, size_t N, CUstream stream) {  \
    return fill(to, N * sizeof(value), value, N, 1, true, stream);                           \
  }                                                                                          \
  CUresult cuMemsetD2D##BITS(CUdeviceptr to, size_t pitch, VALUE value, size_t width,        \
                             size_t height) {                                                \
    return fill(to, pitch, value, width, height, false, nullptr);                            \
  }                                                                                          \
  CUresult cuMemsetD2D##BITS##Async(CUdeviceptr to, size_t pitch, VALUE value, size_t width, \
                                    size_t height, CUstream stream) {                        \
    return fill(to, pitch, value, width, height, true, stream);                              \
  }
XFER_DRIVER_FILLS(8, unsigned char)
XFER_DRIVER_FILLS(16, unsigned short)
XFER_DRIVER_FILLS(32, unsigned int)
}
