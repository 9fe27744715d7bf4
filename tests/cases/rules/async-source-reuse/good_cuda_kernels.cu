// The kernel is waited for, or works on another part, or another buffer.

#include <cuda_runtime.h>

#include <utility>

__global__ void copy(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x]; }

void waited(float* out, int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  for (int step = 0; step < 4; ++step) {
    p[0] = step;
    copy<<<1, n>>>(p, out);
    cudaDeviceSynchronize();
  }
  cudaFree(p);
}

void two_buffers(float* out, int n) {
  float *now = nullptr, *next = nullptr;
  cudaMallocManaged(&now, n * sizeof(float));
  cudaMallocManaged(&next, n * sizeof(float));
  now[0] = 1;
  copy<<<1, n>>>(now, out);
  next[0] = 2;
  cudaDeviceSynchronize();
  std::swap(now, next);
  copy<<<1, n>>>(now, out);
  next[0] = 3;
  cudaDeviceSynchronize();
}

void another_part(float* out, int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, 2 * n * sizeof(float));
  cudaMemset(p, 0, 2 * n * sizeof(float));
  copy<<<1, n>>>(p, out);
  float* rest = p + n;
  rest[0] = 1;
  cudaDeviceSynchronize();
}

__global__ void twice_the_even(float* x) { x[2 * threadIdx.x] *= 2; }

void the_other_elements(int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  for (int i = 0; i < n; ++i) p[i] = i;
  twice_the_even<<<1, n / 2>>>(p);
  for (int i = 1; i < n; i += 2) p[i] += 1;
  cudaDeviceSynchronize();
  cudaFree(p);
}

void the_other_half(float* out, int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, 2 * n * sizeof(float));
  cudaMemset(p, 0, 2 * n * sizeof(float));
  for (int i = 0; i < 2 * n; ++i) p[i] = i;
  copy<<<1, n>>>(p, out);
  for (int i = n; i < 2 * n; ++i) p[i] += 1;
  cudaDeviceSynchronize();
  cudaFree(p);
}
