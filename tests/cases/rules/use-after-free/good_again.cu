// The pointer points to other memory by then.

#include <cuda_runtime.h>

__global__ void fill(float* x, int n) { x[threadIdx.x % n] = 2; }
void allocate(float** p, int n);
void allocate(float*& p, int n);

void grown(int n, int steps) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    fill<<<1, n>>>(d, n);
    cudaFree(d);
    n *= 2;
    cudaMalloc(&d, n * sizeof(float));
  }
  cudaFree(d);
}

void by_others(int n) {
  float *a = nullptr, *b = nullptr;
  cudaFree(a);
  allocate(&a, n);
  fill<<<1, n>>>(a, n);
  cudaFree(b);
  allocate(b, n);
  fill<<<1, n>>>(b, n);
}

void null_again(float* d) {
  cudaFree(d);
  d = nullptr;
  cudaFree(d);
}
