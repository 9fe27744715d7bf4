// Right through functions, or not known there.

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <vector>

float* make(int n) {
  float* p = nullptr;
  cudaMalloc(&p, n * sizeof(float));
  return p;
}

/// Room for more than it is asked for.
float* make_padded(int n) {
  const int rows = (n + 31) / 32;
  float* p = nullptr;
  cudaMalloc(&p, rows * 32 * sizeof(float));
  return p;
}

float* make_either(int n, bool large) {
  float* p = nullptr;
  if (large)
    cudaMalloc(&p, 2 * n * sizeof(float));
  else
    cudaMalloc(&p, n * sizeof(float));
  return p;
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
}
void copy_some(float* to, const float* from, int n, bool all) {
  if (all) n *= 4;
  cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice);
}
void copy_if(float* to, const float* from, int n) {
  if (n < 100) cudaMemcpy(to, from, n * sizeof(double), cudaMemcpyHostToDevice);
}
/// Works on any part of it.
void copy_row(float* to, const float* from, int row, int columns) {
  cudaMemcpy(to + row * columns, from, columns * sizeof(float), cudaMemcpyHostToDevice);
}

void right(const float* h, int n, int m, bool large) {
  float* a = make(n * m);
  copy_bytes(a, h, n * m * sizeof(float));
  copy_bytes(a + n, h, n * sizeof(float));
  copy_some(a, h, n, large);
  copy_if(a, h, n * m);
  for (int row = 0; row < n; ++row) copy_row(a, h, row, m);
  float* b = make_padded(n);
  copy_bytes(b, h, n * sizeof(float));
  cudaMemcpy(b, h + n, n * sizeof(float), cudaMemcpyHostToDevice);
  float* c = make_either(n, large);
  cudaMemcpy(c, h, 2 * n * sizeof(float), cudaMemcpyHostToDevice);
}

void grown(const float* h, int n) {
  float* a = make(n);
  cudaFree(a);
  n *= 2;
  a = make(n);
  copy_bytes(a, h, n * sizeof(float));
}

void of_a_vector(float* d, int n) {
  std::vector<float> v;
  for (int i = 0; i < n; ++i) v.push_back(i);
  cudaMemcpy(d, v.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  v.resize(2 * n);
  cudaMemcpy(d, v.data(), 2 * n * sizeof(float), cudaMemcpyHostToDevice);
}

float of_fixed_size(const float* d) {
  std::array<float, 64> a, b;
  cudaMemcpy(a.data(), d, 64 * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d, b.size() * sizeof(float), cudaMemcpyDeviceToHost);
  return a[0] + b[0];
}
