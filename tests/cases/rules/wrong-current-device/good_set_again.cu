#include <cuda_runtime.h>

__global__ void scale(float* x) { x[threadIdx.x] *= 2; }

void both(int n) {
  float *first, *second;
  cudaSetDevice(0);
  cudaMalloc(&first, n * sizeof(float));
  cudaMemset(first, 0, n * sizeof(float));
  cudaSetDevice(1);
  cudaMalloc(&second, n * sizeof(float));
  cudaMemset(second, 0, n * sizeof(float));
  scale<<<1, n>>>(second);
  cudaSetDevice(0);
  scale<<<1, n>>>(first);
}

void copied(int n) {
  float *first, *second;
  cudaSetDevice(0);
  cudaMalloc(&first, n * sizeof(float));
  cudaMemset(first, 0, n * sizeof(float));
  cudaSetDevice(1);
  cudaMalloc(&second, n * sizeof(float));
  cudaMemcpyPeer(second, 1, first, 0, n * sizeof(float));
  cudaMemcpy(second, first, n * sizeof(float), cudaMemcpyDeviceToDevice);  // may cross
  scale<<<1, n>>>(second);
}

void where_it_was(int n, bool second) {
  float* x;
  if (second) cudaSetDevice(1);
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  if (!second) cudaSetDevice(0);
  scale<<<1, n>>>(x);
}
