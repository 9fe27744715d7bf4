// A function allocates, another one frees: each time round.

#include <cuda_runtime.h>

__global__ void fill_all(float* data, int n) { data[threadIdx.x] = n; }

namespace {

float* fresh(int n) {
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  return data;
}
int fresh_at(float** to, int n) { return cudaMalloc(to, n * sizeof(float)); }
void dispose(float* data) { cudaFree(data); }

void by_result(int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* data = fresh(n);  // LINT: alloc-in-loop
    fill_all<<<1, 32>>>(data, n);
    dispose(data);
  }
}

void by_out_parameter(int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* data;
    fresh_at(&data, 2 * n);  // LINT: alloc-in-loop
    fill_all<<<1, 32>>>(data, n);
    cudaFree(data);
  }
}

void freed_elsewhere(int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* data;
    cudaMalloc(&data, n * sizeof(float));  // LINT: alloc-in-loop
    fill_all<<<1, 32>>>(data, n);
    dispose(data);
  }
}

}  // namespace
