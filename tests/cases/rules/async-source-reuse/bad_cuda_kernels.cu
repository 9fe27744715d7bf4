// The host writes to managed memory while a kernel that was given it may still run.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void copy(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x]; }

void clear(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = 0;
}

void managed(float* out, int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  p[0] = 1;
  copy<<<1, n>>>(p, out);  // NOTE: async-source-reuse
  std::printf("next\n");
  p[0] = 2;  // LINT: async-source-reuse
  cudaDeviceSynchronize();
  copy<<<1, n>>>(p, out);
  clear(p, n);  // LINT: async-source-reuse
  cudaFree(p);
}
