#include <cuda_runtime.h>

#include <cstdio>

#include "kernels.h"

int main() {
  float* x;
  cudaMallocManaged(&x, 128);
  fill<<<1, 32>>>(x);
  std::printf("%f\n", x[0]);  // LINT: read-before-sync
  return cudaFree(x);
}
