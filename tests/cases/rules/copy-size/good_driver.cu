// The driver API: parts of an allocation, and numbers that are made of it.

#include <cuda.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

void parts(CUfunction kernel, int n) {
  std::vector<float> a(n, 1), b(n, 2), c(n);
  const std::size_t bytes = n * sizeof(float);
  CUdeviceptr arena;
  CHECK(cuMemAlloc(&arena, 3 * bytes));
  CUdeviceptr first = arena, second = arena + bytes, third = arena + 2 * bytes;
  CHECK(cuMemcpyHtoD(first, a.data(), bytes));
  CHECK(cuMemcpyHtoD(second, b.data(), bytes));
  void* parameters[] = {&first, &second, &third, &n};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuMemcpyDtoH(c.data(), third, bytes));
  std::printf("%f\n", c[0]);
  CHECK(cuMemFree(arena));
}

void aligned(int n) {
  std::vector<float> h(n, 1);
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, n * sizeof(float) + 256));
  const CUdeviceptr at = (d + 255) & ~CUdeviceptr{255};
  CHECK(cuMemcpyHtoD(at, h.data(), n * sizeof(float)));
  CHECK(cuMemcpyDtoH(h.data(), d, n * sizeof(float)));
  std::printf("%f\n", h[0]);
  CHECK(cuMemFree(d));
}

void symbol(CUmodule module, const float* h) {
  CUdeviceptr d;
  std::size_t bytes;
  CHECK(cuModuleGetGlobal(&d, &bytes, module, "weights"));
  CHECK(cuMemcpyHtoD(d, h, bytes));
}
