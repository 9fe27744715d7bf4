// A kernel that also writes where it reads reads first what is there.

#include <cuda_runtime.h>

#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void scale(float* data, int n, float by) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] *= by;
}

__global__ void count(const int* keys, int* bins, int n) {
  int* own = bins + blockIdx.x;
  for (int i = 0; i < n; ++i)
    if (keys[i] == threadIdx.x) own[0]++;
}

void forgot_the_target(const std::vector<float>& x, std::vector<float>& y) {
  const int n = static_cast<int>(x.size());
  float *d_x = nullptr, *d_y = nullptr;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<1, 256>>>(n, 2.0F, d_x, d_y);  // LINT: missing-transfer
  cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void forgot_all(std::vector<float>& y) {
  const int n = static_cast<int>(y.size());
  float* d_y = nullptr;
  cudaMalloc(&d_y, n * sizeof(float));
  scale<<<1, 256>>>(d_y, n, 2.0F);  // LINT: missing-transfer
  cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void forgot_to_clear(const std::vector<int>& keys, std::vector<int>& bins) {
  const int n = static_cast<int>(keys.size());
  int *d_keys = nullptr, *d_bins = nullptr;
  cudaMalloc(&d_keys, n * sizeof(int));
  cudaMalloc(&d_bins, bins.size() * sizeof(int));
  cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  count<<<1, 256>>>(d_keys, d_bins, n);  // LINT: missing-transfer
  cudaMemcpy(bins.data(), d_bins, bins.size() * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void line(float* y, const float* x, float a, float b) {
  const int i = threadIdx.x;
  y[i] = a * x[i] + b;
}

void forgot_the_source(std::vector<float>& y) {
  float *d_x = nullptr, *d_y = nullptr;
  cudaMalloc(&d_x, 256 * sizeof(float));
  cudaMalloc(&d_y, 256 * sizeof(float));
  line<<<1, 256>>>(d_y, d_x, 2.0F, 1.0F);  // LINT: missing-transfer
  cudaMemcpy(y.data(), d_y, 256 * sizeof(float), cudaMemcpyDeviceToHost);
}
