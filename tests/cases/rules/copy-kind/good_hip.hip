// HIP, as it should be: nothing is wrong with any of these.

#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                           \
  if (hipError_t error = (call); error != hipSuccess)                         \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(error))

__global__ void scale(const float* x, float* y, int n) { y[threadIdx.x % n] = x[threadIdx.x % n]; }

void right(std::vector<float>& h) {
  const int n = static_cast<int>(h.size());
  float *d = nullptr, *e = nullptr;
  CHECK(hipMalloc(&d, n * sizeof(float)));
  CHECK(hipMalloc(&e, n * sizeof(float)));
  CHECK(hipMemcpy(d, h.data(), n * sizeof(float), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(scale, dim3(1), dim3(n), 0, 0, d, e, n);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(h.data(), e, n * sizeof(float), hipMemcpyDeviceToHost));
  std::printf("%f\n", h[0]);
  CHECK(hipFree(d));
  CHECK(hipFree(e));
}

void managed(int n) {
  float *x = nullptr, *y = nullptr;
  CHECK(hipMallocManaged(&x, n * sizeof(float)));
  CHECK(hipHostMalloc(&y, n * sizeof(float), 0));
  for (int i = 0; i < n; ++i) x[i] = i;
  scale<<<1, n>>>(x, y, n);
  CHECK(hipDeviceSynchronize());
  std::printf("%f\n", y[0]);
  CHECK(hipFree(x));
  CHECK(hipHostFree(y));
}
