// The memory is written to in between, in one of many ways.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }
extern float* table[];

void by_the_host(int n, float* h, float* d, std::FILE* file) {
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  h[3] = 1;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  std::fread(h, 1, n, file);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h + n, n * sizeof(float), cudaMemcpyHostToDevice);  // another part
  cudaMemcpy(d + n, h, n * sizeof(float), cudaMemcpyHostToDevice);
  n *= 2;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
}

void by_a_kernel_with_another_pointer(int n, float* h) {
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  table[0] = a;
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, n>>>(table[0], n);
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
}

void of_a_vector(int n, float* d) {
  std::vector<float> v(n);
  cudaMemcpy(d, v.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  std::fill(v.begin(), v.end(), 1.0f);
  cudaMemcpy(d, v.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (float& x : v) x = 2;
  cudaMemcpy(d, v.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}

void swapped(int n, float* d) {
  float *p = new float[n], *q = new float[n];
  cudaMemcpy(d, p, n * sizeof(float), cudaMemcpyHostToDevice);
  std::swap(p, q);
  cudaMemcpy(d, p, n * sizeof(float), cudaMemcpyHostToDevice);
}

// A part of the memory, and a member of an element.
struct Pixel {
  float r, g;
};

void sort(float* from, float* to);
template <class T>
void both(T* x, int n) {
  scale<<<1, n>>>(&x[n], n);
}

void parts(int n, float* h, Pixel* pixels, int levels) {
  float* d;
  int* counts = new int[n];
  std::vector<int> sizes(n);
  cudaMalloc(&d, n * sizeof(float));
  cudaMemset(d, 0, n * sizeof(float));
  scale<<<1, n>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  sort(&h[2], &h[2] + n);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  both(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  sort(&pixels[1].r, h + n);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int level = 0; level < levels; ++level)
    scale<<<1, counts[level]>>>(d, counts[level] + sizes[level]);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
}

__global__ void clear_from(float* x, int n) {
  for (int i = 0; i < n; ++i) *x++ = 0;
}

void by_a_pointer_that_moves_on(const float* h, float* d) {
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  clear_from<<<1, 1>>>(d, 32);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  clear_from<<<1, 1>>>(d, 32);
}
