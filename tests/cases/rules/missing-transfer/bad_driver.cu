// The driver API: what was never filled is read.

#include <cuda.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

void read_back(int n) {
  std::vector<float> h(n, 1);
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float)));
  CHECK(cuMemcpyDtoH(h.data(), d, n * sizeof(float)));  // LINT: missing-transfer
  std::printf("%f\n", h[0]);
  CHECK(cuMemFree(d));
}

struct Buffers {
  CUdeviceptr in, out;
};

void copied_on(CUfunction kernel, int n) {
  std::vector<float> h(n, 1);
  Buffers buffers;
  CHECK(cuMemAlloc(&buffers.in, n * sizeof(float)));
  CHECK(cuMemAlloc(&buffers.out, n * sizeof(float)));
  CHECK(cuMemcpyDtoD(buffers.out, buffers.in, n * sizeof(float)));  // LINT: missing-transfer
  void* parameters[] = {&buffers.out, &n};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuMemcpyDtoH(h.data(), buffers.out, n * sizeof(float)));
  std::printf("%f\n", h[0]);
  CHECK(cuMemFree(buffers.in));
  CHECK(cuMemFree(buffers.out));
}
