// Memory is used after cudaFree, and given back twice.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* x, int n) { x[threadIdx.x % n] = 2; }

void by_a_kernel(int n) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemset(d, 0, n * sizeof(float));
  fill<<<1, n>>>(d, n);
  cudaFree(d);            // NOTE: use-after-free
  fill<<<1, n>>>(d, n);  // LINT: use-after-free
}

void by_a_copy(float* d, float* h, int n) {
  cudaFree(d);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: use-after-free
}

void by_the_host(int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  cudaFree(p);
  std::printf("%f\n", p[0]);  // LINT: use-after-free
}

void twice(float* d, bool early) {
  if (early) {
    cudaFree(d);
  } else {
    cudaFree(d);
  }
  cudaFree(d);  // LINT: use-after-free
}

void in_the_order_of_a_stream(int n, cudaStream_t stream) {
  float* d = nullptr;
  cudaMallocAsync(&d, n * sizeof(float), stream);
  cudaFreeAsync(d, stream);
  cudaMemsetAsync(d, 0, n, stream);  // LINT: use-after-free
}
