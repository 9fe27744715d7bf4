// The driver API: the name of the copy says its direction.

#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

void from_the_host(int n) {
  float* h = static_cast<float*>(std::malloc(n * sizeof(float)));
  for (int i = 0; i < n; ++i) h[i] = 1;
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  CHECK(cuMemcpyDtoD(d, reinterpret_cast<CUdeviceptr>(h), n * sizeof(float)));  // LINT: copy-kind
  CHECK(cuMemFree(d));
  std::free(h);
}

void to_the_device(CUfunction kernel, int n) {
  CUdeviceptr d, e;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  CHECK(cuMemAlloc(&e, n * sizeof(float)));
  void* parameters[] = {&e, &n};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuMemcpyDtoH(reinterpret_cast<void*>(d), e, n * sizeof(float)));  // LINT: copy-kind
  CHECK(cuMemFree(d));
  CHECK(cuMemFree(e));
}
