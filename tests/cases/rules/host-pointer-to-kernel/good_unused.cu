// The kernel gets a pointer to memory of the host, and does nothing with it.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void say(int* values, int first, int last) { printf("%d to %d\n", first, last); }
template <bool kFill>
__global__ void fill(int* values, int* counts) {
  if constexpr (kFill) values[threadIdx.x] = 1;
  counts[threadIdx.x] = 2;
}

void say_all(int* counts) {
  int values[32] = {};
  say<<<1, 1>>>(values, 0, 32);
  fill<false><<<1, 32>>>(values, counts);
  cudaDeviceSynchronize();
}
