// Device memory that is read before anything was copied to it.

#include <cuda_runtime.h>

#include <vector>

__global__ void add(const float* a, const float* b, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void forgot_one(const std::vector<float>& x, const std::vector<float>& y, std::vector<float>& sum) {
  const int n = static_cast<int>(x.size());
  float *a = nullptr, *b = nullptr, *out = nullptr;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));  // NOTE: missing-transfer
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(a, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<1, n>>>(a, b, out, n);  // LINT: missing-transfer
  cudaMemcpy(sum.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void forgot_the_launch(std::vector<float>& result) {
  float* out = nullptr;
  cudaMalloc(&out, result.size() * sizeof(float));
  cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: missing-transfer
}
