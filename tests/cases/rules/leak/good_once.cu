#include <cuda_runtime.h>

#include <cstdio>

__global__ void smooth(float* x, float* scratch, int n) {
  scratch[threadIdx.x % n] = x[threadIdx.x % n];
  x[threadIdx.x % n] = scratch[threadIdx.x % n] / 2;
}

void once(float* x, int n, int steps) {
  float* scratch = nullptr;
  cudaMalloc(&scratch, n * sizeof(float));  // as long as the program
  for (int step = 0; step < steps; ++step) smooth<<<1, n>>>(x, scratch, n);
}

void at_first(float* x, int n, int steps) {
  float* scratch = nullptr;
  for (int step = 0; step < steps; ++step) {
    if (scratch == nullptr) cudaMalloc(&scratch, n * sizeof(float));
    smooth<<<1, n>>>(x, scratch, n);
  }
}

void how_much_there_is(size_t chunk) {
  size_t sum = 0;
  void* some = nullptr;
  while (cudaMalloc(&some, chunk) == cudaSuccess) sum += chunk;
  std::printf("%zu\n", sum);
}
