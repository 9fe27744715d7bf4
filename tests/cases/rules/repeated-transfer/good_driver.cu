// The driver API: what a kernel may have written to is uploaded again.

#include <cuda.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

void after_a_kernel(CUfunction kernel, int n) {
  std::vector<float> h(n, 1);
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  void* parameters[] = {&d, &n};
  for (int step = 0; step < 3; ++step) {
    CHECK(cuMemcpyHtoD(d, h.data(), n * sizeof(float)));
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  }
  CHECK(cuMemcpyDtoH(h.data(), d, n * sizeof(float)));
  std::printf("%f\n", h[0]);
  CHECK(cuMemFree(d));
}

void in_two_contexts(CUfunction kernel, CUcontext first, CUcontext second, int n) {
  std::vector<float> h(n, 1);
  CUdeviceptr d[2];
  CUcontext contexts[] = {first, second};
  for (int i = 0; i < 2; ++i) {
    CHECK(cuCtxSetCurrent(contexts[i]));
    CHECK(cuMemAlloc(&d[i], n * sizeof(float)));
    CHECK(cuMemcpyHtoD(d[i], h.data(), n * sizeof(float)));
    void* parameters[] = {&d[i], &n};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  }
  for (int i = 0; i < 2; ++i) {
    CHECK(cuCtxSetCurrent(contexts[i]));
    CHECK(cuMemcpyDtoH(h.data(), d[i], n * sizeof(float)));
    std::printf("%f\n", h[0]);
    CHECK(cuMemFree(d[i]));
  }
}

void by_chunks(CUfunction kernel, const float* h, int n, int count) {
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  void* parameters[] = {&d, &n};
  for (int i = 0; i < count; ++i) {
    CHECK(cuMemcpyHtoD(d, h + i * n, n * sizeof(float)));
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  }
  CHECK(cuCtxSynchronize());
  CHECK(cuMemFree(d));
}
