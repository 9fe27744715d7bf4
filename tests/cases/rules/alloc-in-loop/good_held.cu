// The buffers live longer than an iteration, or come from a pool.

#include <cuda_runtime.h>

__global__ void fill(float* x, int n) { x[threadIdx.x % n] = 2; }

void one_for_each(float** buffers, int count, int n) {
  for (int i = 0; i < count; ++i) cudaMalloc(&buffers[i], n * sizeof(float));
  for (int i = 0; i < count; ++i) cudaFree(buffers[i]);
}

void of_a_pool(int n, int steps, cudaStream_t stream) {
  for (int step = 0; step < steps; ++step) {
    float* d = nullptr;
    cudaMallocAsync(&d, n * sizeof(float), stream);
    fill<<<1, n, 0, stream>>>(d, n);
    cudaFreeAsync(d, stream);
  }
}

void once(int n, int steps) {
  float* d = nullptr;
  for (int step = 0; step < steps; ++step) {
    if (d == nullptr) cudaMalloc(&d, n * sizeof(float));
    fill<<<1, n>>>(d, n);
    if (step + 1 == steps) cudaFree(d);
  }
}

void tried(int n) {
  float* d = nullptr;
  do {
    cudaMalloc(&d, n * sizeof(float));
    fill<<<1, n>>>(d, n);
    cudaFree(d);
  } while (false);
}
