// Each iteration needs another size.

#include <cuda_runtime.h>

#include <vector>

__global__ void fill(float* x, int n) { x[threadIdx.x % n] = 2; }
int next_size();

void doubled(int n, int steps) {
  for (int step = 0; step < steps; ++step, n *= 2) {
    float* d = nullptr;
    cudaMalloc(&d, n * sizeof(float));
    fill<<<1, n>>>(d, n);
    cudaFree(d);
  }
}

void of_each(const std::vector<std::vector<float>>& batches) {
  for (const auto& batch : batches) {
    float* d = nullptr;
    cudaMalloc(&d, batch.size() * sizeof(float));
    fill<<<1, 1>>>(d, 1);
    cudaFree(d);
  }
}

void asked_for(int steps) {
  for (int step = 0; step < steps; ++step) {
    const int n = next_size();
    float* d = nullptr;
    cudaMalloc(&d, n * sizeof(float));
    fill<<<1, n>>>(d, n);
    cudaFree(d);
  }
}
