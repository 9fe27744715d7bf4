// The same bytes copied to the same place again.

#include <cuda_runtime.h>

#include <vector>

__global__ void add(const float* a, float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void twice(const std::vector<float>& weights, int n) {
  float *a = nullptr, *b = nullptr, *out = nullptr;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(a, weights.data(), n * sizeof(float), cudaMemcpyHostToDevice);  // NOTE: repeated-transfer
  cudaMemcpy(b, weights.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<1, n>>>(a, b, out, n);
  cudaMemcpy(a, weights.data(), n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  cudaMemcpy(b, weights.data(), n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  add<<<1, n>>>(a, b, out, n);
}

void fetched_twice(float* result, float* d, int n) {
  cudaMemcpy(result, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  const float first = result[0];
  cudaMemcpy(result, d, n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: repeated-transfer
  (void)first;
}
