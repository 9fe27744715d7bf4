// The host reads what a kernel of HIP is still writing to.

#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(float* x) { x[threadIdx.x] = 1; }

void managed(int n) {
  float* p = nullptr;
  hipMallocManaged(&p, n * sizeof(float));
  fill<<<1, n>>>(p);
  if (hipGetLastError() != hipSuccess) std::printf("failed\n");
  std::printf("%f\n", p[0]);  // LINT: read-before-sync
  hipFree(p);
}
