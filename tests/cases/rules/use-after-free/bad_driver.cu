// The driver API: memory that was freed.

#include <cuda.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

void copied(int n) {
  std::vector<float> h(n, 1);
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  CHECK(cuMemFree(d));
  CHECK(cuMemcpyHtoD(d, h.data(), n * sizeof(float)));  // LINT: use-after-free
}
