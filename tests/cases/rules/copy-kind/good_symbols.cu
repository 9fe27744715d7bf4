#include <cuda_runtime.h>

__constant__ float weights[16];
__managed__ float shared[16];

void up(const float (&from)[16], const float (&others)[16]) {
  cudaMemcpyToSymbol(weights, from, sizeof(weights));
  cudaMemcpyToSymbol(weights, others, sizeof(weights), 0, cudaMemcpyHostToDevice);
}

void between_devices(int n) {
  float* made;
  cudaMalloc(&made, n * sizeof(float));
  cudaMemset(made, 0, n * sizeof(float));
  cudaMemcpyToSymbol(weights, made, sizeof(weights), 0, cudaMemcpyDeviceToDevice);
}

void of_managed_memory(const float* from) {
  cudaMemcpy(shared, from, sizeof(shared), cudaMemcpyHostToHost);
  cudaMemcpy(shared, from, sizeof(shared), cudaMemcpyHostToDevice);
}
