// A kernel that a call of the runtime starts reads what nobody has set.

#include <cuda_runtime.h>

__global__ void add(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x] + 1; }

void launched(float* h, int n) {
  float *d = nullptr, *out = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  void* arguments[] = {&d, &out};
  cudaLaunchKernel((const void*)add, dim3(1), dim3(n), arguments, 0, nullptr);  // LINT: missing-transfer
  cudaMemcpy(h, out, n * sizeof(float), cudaMemcpyDeviceToHost);
}
