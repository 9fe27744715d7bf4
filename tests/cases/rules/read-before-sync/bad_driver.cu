// The driver API: asynchronous copies.

#include <cuda.h>

#include <cstdio>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

void early(CUfunction kernel, CUstream stream, int n) {
  float* h = nullptr;
  CUdeviceptr d;
  CHECK(cuMemAllocHost(reinterpret_cast<void**>(&h), n * sizeof(float)));
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  void* parameters[] = {&d, &n};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, stream, parameters, nullptr));
  CHECK(cuMemcpyDtoHAsync(h, d, n * sizeof(float), stream));
  std::printf("%f\n", h[0]);  // LINT: read-before-sync
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemFree(d));
  CHECK(cuMemFreeHost(h));
}
