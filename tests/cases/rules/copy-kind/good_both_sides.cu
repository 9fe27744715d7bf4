// Pinned and managed memory belongs to both sides.

#include <cuda_runtime.h>

void pinned(float* d, int n) {
  float *staging = nullptr, *managed = nullptr;
  cudaMallocHost(&staging, n * sizeof(float));
  cudaMallocManaged(&managed, n * sizeof(float));
  cudaMemcpy(managed, staging, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(managed, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(d, managed, n * sizeof(float), cudaMemcpyDeviceToDevice);
}

void named_as_the_other_side(const float* h, float* d, int n) {
  float *staging = nullptr, *managed = nullptr;
  cudaMallocHost(&staging, n * sizeof(float));
  cudaMallocManaged(&managed, n * sizeof(float));
  cudaMemcpy(d, staging, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaMemcpy(managed, h, n * sizeof(float), cudaMemcpyHostToHost);
}
