// Every iteration allocates what the one before has just given back.

#include <cuda_runtime.h>

#include <vector>

__global__ void fill(float* x, int n) { x[threadIdx.x % n] = 2; }

void on_a_device(int n, int steps) {
  const size_t bytes = n * sizeof(float);
  for (int step = 0; step < steps; ++step) {
    float* d = nullptr;
    cudaMalloc(&d, bytes);  // LINT: alloc-in-loop
    fill<<<1, n>>>(d, n);
    cudaFree(d);  // NOTE: alloc-in-loop
  }
}

void pinned(const std::vector<float>& all, float* d, int n) {
  float* h = nullptr;
  for (float one : all) {
    cudaMallocHost(&h, n * sizeof(float));  // LINT: alloc-in-loop
    h[0] = one;
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaFreeHost(h);
  }
}

void in_the_inner_loop(int n, int rows, const int* sizes) {
  for (int row = 0; row < rows; ++row) {
    const int size = sizes[row];
    for (int i = 0; i < n; ++i) {
      float* d = nullptr;
      cudaMalloc(&d, size * sizeof(float));  // LINT: alloc-in-loop
      fill<<<1, n>>>(d, size);
      cudaFree(d);
    }
  }
}
