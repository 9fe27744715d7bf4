// The driver API: an address of a device, made a pointer of the host.

#include <cuda.h>

#include <cstdio>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

void filled(int n) {
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  auto* p = reinterpret_cast<float*>(d);
  p[0] = 1;  // LINT: host-access
  CHECK(cuMemFree(d));
}
