// One of the pointers is unknown: the fault is certain, but not its repair.

#include <cuda_runtime.h>

void fetch(float* out, int n) {
  float* d = nullptr;
  if (cudaMalloc(&d, n) != cudaSuccess) return;
  cudaMemset(d, 0, n);
  cudaMemcpy(out, d, n, cudaMemcpyHostToHost);  // LINT: copy-kind
}
