// Functions that allocate or free in a loop, for a reason.

#include <cuda_runtime.h>

__global__ void fill_some(float* data, int n) { data[threadIdx.x] = n; }

namespace {

float* fresh(int n) {
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  return data;
}
float* from_pool(int n) {
  float* data;
  cudaMallocAsync(&data, n * sizeof(float), 0);
  return data;
}
void dispose(float* data) { cudaFree(data); }
void keep(float* data, bool last) {
  if (last) cudaFree(data);
}

void of_another_size(int n, int steps) {
  for (int step = 1; step < steps; ++step) {
    float* data = fresh(n * step);
    fill_some<<<1, 32>>>(data, n);
    dispose(data);
  }
}

void of_a_pool(int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* data = from_pool(n);
    fill_some<<<1, 32>>>(data, n);
    cudaFreeAsync(data, 0);
  }
}

void once(int n, int steps) {
  float* data = fresh(n);
  for (int step = 0; step < steps; ++step) {
    fill_some<<<1, 32>>>(data, step);
    keep(data, step + 1 == steps);
  }
}

void grown(int n, int steps) {
  float* data = fresh(n);
  for (int step = 0; step < steps; ++step) {
    fill_some<<<1, 32>>>(data, step);
    if (step % 100 == 99) {
      dispose(data);
      n *= 2;
      data = fresh(n);
    }
  }
  dispose(data);
}

}  // namespace
