// A part of the memory.

#include <cuda_runtime.h>

void parts(const float* input, float* output, int n, int half) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, input, half * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d + half, input + half, (n - half) * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(output, d, sizeof(float), cudaMemcpyDeviceToHost);
  float** rows = nullptr;
  cudaMalloc(&rows, n * sizeof(float*));
  cudaMemcpy(rows, &d, sizeof(d), cudaMemcpyHostToDevice);
}

void half_of_the_count(const float* input, float* d, int n) {
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, input, n / 2, cudaMemcpyHostToDevice);
}
