// Memory that all devices follow, and devices that nobody knows.
#include <cuda_runtime.h>

__global__ void scale(float* x) { x[threadIdx.x] *= 2; }

void managed(int n) {
  float* x;
  cudaSetDevice(1);
  cudaMallocManaged(&x, n * sizeof(float));
  x[0] = 1;
  cudaSetDevice(0);
  scale<<<1, n>>>(x);
}

void pinned(int n) {
  float* x;
  cudaSetDevice(1);
  cudaMallocHost(&x, n * sizeof(float));
  x[0] = 1;
  cudaSetDevice(0);
  scale<<<1, n>>>(x);
}

void of_numbers(int n, int a, int b) {
  float* x;
  cudaSetDevice(a);
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaSetDevice(b);
  scale<<<1, n>>>(x);
}

void in_turn(float** all, int n, int devices) {
  for (int device = 0; device < devices; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&all[device], n * sizeof(float));
    cudaMemset(all[device], 0, n * sizeof(float));
  }
  for (int device = 0; device < devices; ++device) {
    cudaSetDevice(device);
    scale<<<1, n>>>(all[device]);
  }
  cudaSetDevice(0);
}
