#include <cuda_runtime.h>

__global__ void scale(float* x) { x[threadIdx.x] *= 2; }

void of_the_first(int n) {
  float* on_second;
  cudaSetDevice(1);
  cudaMalloc(&on_second, n * sizeof(float));
  cudaMemset(on_second, 0, n * sizeof(float));
  cudaSetDevice(0);
  scale<<<1, n>>>(on_second);  // LINT: wrong-current-device
  cudaDeviceSynchronize();
  cudaFree(on_second);
}

void both(int n) {
  float *first, *second;
  cudaSetDevice(0);
  cudaMalloc(&first, n * sizeof(float));
  cudaMemset(first, 0, n * sizeof(float));
  cudaSetDevice(1);
  cudaMalloc(&second, n * sizeof(float));
  cudaMemset(second, 0, n * sizeof(float));
  scale<<<1, n>>>(first);  // LINT: wrong-current-device
  scale<<<1, n>>>(second);
}
