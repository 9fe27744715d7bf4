// Each path gives it back once, and uses it before.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* x, int n) { x[threadIdx.x % n] = 2; }

#define CHECK(call)                                                                    \
  if ((call) != cudaSuccess) std::printf("%s: %s\n", #call, cudaGetErrorString(call))

int failing(int n) {
  float *a = nullptr, *b = nullptr;
  if (cudaMalloc(&a, n * sizeof(float)) != cudaSuccess) return 1;
  if (cudaMalloc(&b, n * sizeof(float)) != cudaSuccess) {
    cudaFree(a);
    return 1;
  }
  fill<<<1, n>>>(a, n);
  cudaFree(a);
  cudaFree(b);
  return 0;
}

void jumping(int n) {
  float *a = nullptr, *b = nullptr;
  if (cudaMalloc(&a, n * sizeof(float)) != cudaSuccess) goto error;
  if (cudaMalloc(&b, n * sizeof(float)) != cudaSuccess) goto error;
  fill<<<1, n>>>(a, n);
error:
  cudaFree(a);
  cudaFree(b);
}

void one_of_two(float* d, int n, bool done) {
  if (done) cudaFree(d);
  if (!done) fill<<<1, n>>>(d, n);
}

void written_twice(float* d) { CHECK(cudaFree(d)); }
