// The driver API: an upload that is made twice.

#include <cuda.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

void twice(CUfunction kernel, int n) {
  std::vector<float> h(n, 1);
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  CHECK(cuMemcpyHtoD(d, h.data(), n * sizeof(float)));
  CHECK(cuMemcpyHtoD(d, h.data(), n * sizeof(float)));  // LINT: repeated-transfer
  void* parameters[] = {&d, &n};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuMemcpyDtoH(h.data(), d, n * sizeof(float)));
  std::printf("%f\n", h[0]);
  CHECK(cuMemFree(d));
}
