// Kernels that do not read what was there, or only where a setting says so.

#include <cuda_runtime.h>

#include <vector>

__global__ void gemm(int n, float alpha, float beta, const float* a, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = alpha * a[i] + beta * c[i];
}

__global__ void add(const float* a, float* sum, int n, bool more) {
  const int i = threadIdx.x;
  float before = 0;
  if (more) before = sum[i];
  if (i < n) sum[i] = before + a[i];
}

__global__ void clear_and_count(const int* keys, int* bins, int n) {
  bins[threadIdx.x] = 0;
  for (int i = 0; i < n; ++i)
    if (keys[i] == threadIdx.x) bins[threadIdx.x]++;
}

// It takes the lengths from elsewhere.
__global__ void rows(const float* values, const int* lengths, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = values[i];
}

void with_a_factor(const std::vector<float>& a, std::vector<float>& c) {
  const int n = static_cast<int>(a.size());
  float *d_a = nullptr, *d_c = nullptr;
  cudaMalloc(&d_a, n * sizeof(float));
  cudaMalloc(&d_c, n * sizeof(float));
  cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  gemm<<<1, 256>>>(n, 1.0F, 0.0F, d_a, d_c);
  cudaMemcpy(c.data(), d_c, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void as_it_is_set(const std::vector<float>& a, std::vector<float>& sum) {
  const int n = static_cast<int>(a.size());
  float *d_a = nullptr, *d_sum = nullptr;
  cudaMalloc(&d_a, n * sizeof(float));
  cudaMalloc(&d_sum, n * sizeof(float));
  cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<1, 256>>>(d_a, d_sum, n, false);
  cudaMemcpy(sum.data(), d_sum, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void written_first(const std::vector<int>& keys, std::vector<int>& bins) {
  const int n = static_cast<int>(keys.size());
  int *d_keys = nullptr, *d_bins = nullptr;
  cudaMalloc(&d_keys, n * sizeof(int));
  cudaMalloc(&d_bins, bins.size() * sizeof(int));
  cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  clear_and_count<<<1, 256>>>(d_keys, d_bins, n);
  cudaMemcpy(bins.data(), d_bins, bins.size() * sizeof(int), cudaMemcpyDeviceToHost);
}

void never_named(const std::vector<float>& values, std::vector<float>& out) {
  const int n = static_cast<int>(values.size());
  float *d_values = nullptr, *d_out = nullptr;
  int* d_lengths = nullptr;
  cudaMalloc(&d_values, n * sizeof(float));
  cudaMalloc(&d_lengths, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_values, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  rows<<<1, 256>>>(d_values, d_lengths, d_out, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
}
