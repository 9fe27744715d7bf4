#include <cuda_runtime.h>

__global__ void smooth(float* x, float* scratch, int n) {
  scratch[threadIdx.x % n] = x[threadIdx.x % n];
  x[threadIdx.x % n] = scratch[threadIdx.x % n] / 2;
}

void grown(float* x, int steps) {
  for (int n = 1; n < steps; ++n) {
    float* scratch = nullptr;
    cudaMalloc(&scratch, n * sizeof(float));
    smooth<<<1, n>>>(x, scratch, n);
    cudaFree(scratch);
  }
}

int with_errors(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* scratch = nullptr;
    cudaMalloc(&scratch, (n + step) * sizeof(float));
    smooth<<<1, n>>>(x, scratch, n);
    if (cudaGetLastError() != cudaSuccess) return 1;  // the program ends
    cudaFree(scratch);
  }
  return 0;
}

void dispose(float* pointer) { cudaFree(pointer); }

void by_a_helper(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* scratch = nullptr;
    cudaMalloc(&scratch, (n + step) * sizeof(float));
    smooth<<<1, n>>>(x, scratch, n);
    dispose(scratch);
  }
}

void by_another_name(float* x, int n, int steps) {
  float* mine = nullptr;
  for (int step = 0; step < steps; ++step) {
    float* scratch = nullptr;
    cudaMalloc(&scratch, n * sizeof(float));
    smooth<<<1, n>>>(x, scratch, n);
    if (mine != nullptr) cudaFree(mine);
    mine = scratch;  // of the iteration before
  }
  cudaFree(mine);
}

void reset(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* scratch = nullptr;
    cudaMalloc(&scratch, n * sizeof(float));
    smooth<<<1, n>>>(x, scratch, n);
    cudaDeviceReset();
  }
}
