#include <cuda_runtime.h>

__global__ void smooth(float* x, float* scratch, int n) {
  scratch[threadIdx.x % n] = x[threadIdx.x % n];
  x[threadIdx.x % n] = scratch[threadIdx.x % n] / 2;
}

void in_the_loop(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* scratch = nullptr;
    cudaMalloc(&scratch, n * sizeof(float));  // LINT: leak
    smooth<<<1, n>>>(x, scratch, n);
  }
}

void overwritten(float* x, int n, int steps) {
  float* scratch = nullptr;
  for (int step = 0; step < steps; ++step) {
    cudaMalloc(&scratch, n * sizeof(float));  // LINT: leak
    smooth<<<1, n>>>(x, scratch, n);
  }
}

void staged(float* x, const float* const* batches, int n, int count) {
  for (int batch = 0; batch < count; ++batch) {
    float* pinned;
    cudaMallocHost(&pinned, n * sizeof(float));  // LINT: leak
    for (int i = 0; i < n; ++i) pinned[i] = batches[batch][i];
    cudaMemcpy(x, pinned, n * sizeof(float), cudaMemcpyHostToDevice);
  }
}
