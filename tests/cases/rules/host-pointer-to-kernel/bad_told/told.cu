// A copy says that the caller's memory is the host's, and a kernel is given it all the same.
#include <cuda_runtime.h>

__global__ void scaled(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

void the_source(const float* input, float* output, int n) {
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, input, n * sizeof(float), cudaMemcpyHostToDevice);
  scaled<<<1, 32>>>(input, y);  // LINT: host-pointer-to-kernel
  scaled<<<1, 32>>>(x, y);
  cudaMemcpy(output, y, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
}

// The copy comes behind.
void the_target(const float* x, float* y, float* output, int n) {
  scaled<<<1, 32>>>(x, output);  // LINT: host-pointer-to-kernel
  cudaMemcpy(output, y, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void cleared(float* x, float* h, int n) {
  cudaMemcpy(x, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(h, 0, n * sizeof(float));  // LINT: host-pointer-to-kernel
}
