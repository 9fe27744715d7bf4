#include "kernels.h"

__global__ void fill(float* out) { out[threadIdx.x] = threadIdx.x; }

__global__ void add(float* table, float* sum) {
  sum[threadIdx.x] += table[threadIdx.x];
  table[threadIdx.x] = 0;
}
