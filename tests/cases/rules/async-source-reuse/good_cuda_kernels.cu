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
  copy<<<1, n>>>(p, out);
  float* rest = p + n;
  rest[0] = 1;
  cudaDeviceSynchronize();
}
