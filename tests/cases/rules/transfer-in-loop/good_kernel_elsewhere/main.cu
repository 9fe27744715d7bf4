#include <cuda_runtime.h>

#include "kernels.h"

void sum_up(float* sum, int steps) {
  float from[32] = {1};
  float* table;
  cudaMalloc(&table, sizeof(from));
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(table, from, sizeof(from), cudaMemcpyHostToDevice);  // the kernel writes there
    add<<<1, 32>>>(table, sum);
  }
  cudaFree(table);
}
