// Something wrote to the memory before it is read, or may have.

#include <cuda_runtime.h>

__global__ void fill(float* x, int n) { x[threadIdx.x % n] = 1; }
__global__ void sum(float* x, float* out, int n) { atomicAdd(out, x[threadIdx.x % n]); }
void load(float* x, int n);

void made_on_the_device(float* result, int n, bool from_file) {
  float *x = nullptr, *total = nullptr, *cache = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMalloc(&cache, n * sizeof(float));
  fill<<<1, n>>>(x, n);
  cudaMemset(total, 0, sizeof(float));
  sum<<<1, n>>>(x, total, n);
  if (from_file) load(cache, n);
  sum<<<1, n>>>(cache, total, n);
  cudaMemcpy(result, total, sizeof(float), cudaMemcpyDeviceToHost);
}

void in_a_loop(const float* batches, float* result, int n, int steps) {
  float *x = nullptr, *total = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  for (int step = 0; step < steps; ++step) {
    if (step > 0) sum<<<1, n>>>(x, total, n);
    cudaMemcpy(x, batches + step * n, n * sizeof(float), cudaMemcpyHostToDevice);
  }
  cudaMemcpy(result, total, sizeof(float), cudaMemcpyDeviceToHost);
}
