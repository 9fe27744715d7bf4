#include <hip/hip_runtime.h>

#include <cstdio>

void another_stream(const float* x) {
  hipStream_t first, second;
  hipStreamCreate(&first);
  hipStreamCreateWithFlags(&second, hipStreamNonBlocking);
  float* out;
  hipHostMalloc(reinterpret_cast<void**>(&out), 128, 0);
  hipMemcpyAsync(out, x, 128, hipMemcpyDeviceToHost, second);
  hipStreamSynchronize(first);
  std::printf("%f\n", out[0]);  // LINT: read-before-sync
}

void its_own(const float* x) {
  hipStream_t first, second;
  hipStreamCreate(&first);
  hipStreamCreate(&second);
  float* out;
  hipHostMalloc(reinterpret_cast<void**>(&out), 128, 0);
  hipMemcpyAsync(out, x, 128, hipMemcpyDeviceToHost, second);
  hipStreamSynchronize(second);
  std::printf("%f\n", out[0]);
}
