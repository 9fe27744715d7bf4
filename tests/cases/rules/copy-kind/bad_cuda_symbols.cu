// Device memory is copied to a symbol as if it were host memory.

#include <cuda_runtime.h>

__constant__ float* table;

void the_memory_itself(int n) {
  float* data;
  cudaMalloc(&data, n);
  cudaMemset(data, 0, n);
  cudaMemcpyToSymbol(table, data, sizeof(float*), 0, cudaMemcpyHostToDevice);  // LINT: copy-kind
  cudaFree(data);
}
