// Used after a function has freed it.

#include <cuda_runtime.h>

__global__ void touch(float* data, int n) { data[threadIdx.x] = n; }

namespace {

void dispose(float* data) { cudaFree(data); }

void once(int n) {
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  dispose(data);
  touch<<<1, 32>>>(data, n);  // LINT: use-after-free
}

void twice(int n) {
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  touch<<<1, 32>>>(data, n);
  dispose(data);
  cudaFree(data);  // LINT: use-after-free
}

}  // namespace
