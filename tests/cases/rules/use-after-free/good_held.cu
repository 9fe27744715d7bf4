// Pointers in fields and globals, which others point to new memory.

#include <cuda_runtime.h>

__global__ void fill(float* x, int n) { x[threadIdx.x % n] = 2; }

float* shared;
void make_shared(int n) { cudaMalloc(&shared, n * sizeof(float)); }

void of_a_global(int n) {
  cudaFree(shared);
  make_shared(n);
  fill<<<1, n>>>(shared, n);
}

struct Buffer {
  float* data;
  int n;
  void resize(int size) {
    cudaFree(data);
    n = size;
    cudaMalloc(&data, n * sizeof(float));
  }
  void run() {
    cudaFree(data);
    resize(n);
    fill<<<1, n>>>(data, n);
  }
};

void of_an_object(Buffer& buffer) {
  cudaFree(buffer.data);
  buffer.resize(3);
  fill<<<1, 3>>>(buffer.data, 3);
}
