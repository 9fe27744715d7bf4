// Memory of HIP is used after hipFree.

#include <hip/hip_runtime.h>

__global__ void fill(float* x) { x[threadIdx.x] = 1; }

void freed(int n) {
  float* d = nullptr;
  hipMalloc(&d, n * sizeof(float));
  fill<<<1, n>>>(d);
  hipFree(d);
  fill<<<1, n>>>(d);  // LINT: use-after-free
}
