// Vectors, arrays, variables, what new and malloc made, and parts of them: all memory of the host.

#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

void each(int n, float* given) {
  std::vector<float> v(n);
  float stack[8];
  float one = 1;
  float* made = new float[n];
  float* c = (float*)malloc(n * sizeof(float));
  float* d;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemset(d, 0, n * sizeof(float));
  scale<<<1, n>>>(v.data(), n);  // LINT: host-pointer-to-kernel
  scale<<<1, n>>>(&v[0], n);  // LINT: host-pointer-to-kernel
  scale<<<1, 8>>>(stack, 8);  // LINT: host-pointer-to-kernel
  scale<<<1, 1>>>(&one, 1);  // LINT: host-pointer-to-kernel
  scale<<<1, n>>>(made + 2, n);  // LINT: host-pointer-to-kernel
  cudaMemset(c, 0, n);  // LINT: host-pointer-to-kernel
  scale<<<1, n>>>(d, n);
  scale<<<1, n>>>(given, n);
}

void parts(int n) {
  float grid[4][4];
  scale<<<1, n>>>(&grid[1][0], n);  // LINT: host-pointer-to-kernel
  scale<<<1, n>>>(grid[1], n);  // LINT: host-pointer-to-kernel
}
