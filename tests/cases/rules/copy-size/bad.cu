// Copies that are given a number of bytes that their memory does not have.

#include <cuda_runtime.h>

#include <vector>

constexpr int kRows = 64;

void use(const void* memory);

void elements(const float* input, int n) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));  // NOTE: copy-size
  cudaMemcpy(d, input, n, cudaMemcpyHostToDevice);  // LINT: copy-size
  use(d);
}

void of_the_pointer(double* d) {
  double* h = new double[8];
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);  // LINT: copy-size
  use(h);
  delete[] h;
}

void too_many(const float* input) {
  float* d = nullptr;
  cudaMalloc(&d, sizeof(float) * kRows * kRows);
  cudaMemcpy(d, input, sizeof(double) * kRows * kRows, cudaMemcpyHostToDevice);  // LINT: copy-size
  cudaMemcpy(d, input, kRows * kRows, cudaMemcpyHostToDevice);                   // LINT: copy-size
  use(d);
}
