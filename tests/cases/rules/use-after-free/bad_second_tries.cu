// The branch asks for something else.

#include <cuda_runtime.h>

void freed_twice(int n, bool more) {
  float* p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  const cudaError_t error = cudaFree(p);
  if (more) cudaFree(p);  // LINT: use-after-free
  if (error != cudaSuccess) n = 0;
}
