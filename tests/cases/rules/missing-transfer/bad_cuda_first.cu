// A kernel in a loop reads, the first time round, memory that nobody has set.

#include <cuda_runtime.h>

__global__ void grow(float* x, int n) { x[threadIdx.x % n] += 1; }
__global__ void mark(const float* x, bool* done) { *done = x[0] > 3; }
__global__ void count(const int* keys, int* bins) { atomicAdd(&bins[keys[threadIdx.x]], 1); }

void in_a_loop(float* h, int n, int steps) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  float sum = 0;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i) sum += h[i];
    h[0] = sum;
    grow<<<1, n>>>(d, n);  // LINT: missing-transfer
  }
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void until_done(float* h, int n) {
  float* d = nullptr;
  bool* flag = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&flag, sizeof(bool));
  bool done = false;
  do {
    mark<<<1, 1>>>(d, flag);  // LINT: missing-transfer
    grow<<<1, n>>>(d, n);
    cudaMemcpy(&done, flag, sizeof(bool), cudaMemcpyDeviceToHost);
  } while (!done);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void histogram(const int* keys, int* h, int n) {
  int* bins = nullptr;
  cudaMalloc(&bins, n * sizeof(int));
  count<<<1, n>>>(keys, bins);  // LINT: missing-transfer
  cudaMemcpy(h, bins, n * sizeof(int), cudaMemcpyDeviceToHost);
}
