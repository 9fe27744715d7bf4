// Down and up again, or up and down, with nothing done.

#include <cuda_runtime.h>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

void parked(float* d, float* h, int n) {
  scale<<<1, n>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);  // NOTE: round-trip
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: round-trip
  scale<<<1, n>>>(d, n);
}

void no_kernel(float* d, float* h, int n) {
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: round-trip
}
