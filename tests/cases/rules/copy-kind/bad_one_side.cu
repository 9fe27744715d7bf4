// Where one of the pointers points is not known: what is wrong is, and not how to put it right.

#include <cuda_runtime.h>

void fetch(float* out, int n) {
  float* d = nullptr;
  if (cudaMalloc(&d, n) != cudaSuccess) return;
  cudaMemset(d, 0, n);
  cudaMemcpy(out, d, n, cudaMemcpyHostToHost);  // LINT: copy-kind
}
