// Copies whose result nothing uses.

#include <cuda_runtime.h>

#include <cstdlib>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

void never_given_to_a_kernel(const float* h, float* d, int n) {
  float* extra = nullptr;
  cudaMalloc(&extra, n * sizeof(float));
  cudaMemcpy(extra, h, n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: unused-transfer
  scale<<<1, n>>>(d, n);
  cudaFree(extra);
}

void never_looked_at(float* d, int n) {
  float* h = static_cast<float*>(std::malloc(n * sizeof(float)));
  scale<<<1, n>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: unused-transfer
  std::free(h);
}
