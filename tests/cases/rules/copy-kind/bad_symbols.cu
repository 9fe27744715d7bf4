#include <cuda_runtime.h>

__constant__ float weights[16];

void up(const float* from) {
  cudaMemcpyToSymbol(weights, from, sizeof(weights), 0, cudaMemcpyDeviceToHost);  // LINT: copy-kind
}

void down(float (&to)[16]) {
  cudaMemcpyFromSymbol(to, weights, sizeof(weights), 0, cudaMemcpyHostToDevice);  // LINT: copy-kind
}

void from_the_device(int n) {
  float* made;
  cudaMalloc(&made, n * sizeof(float));
  cudaMemset(made, 0, n * sizeof(float));
  cudaMemcpyToSymbol(weights, made, sizeof(weights));  // LINT: copy-kind
}
