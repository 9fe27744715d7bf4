// Elements of one byte, and memory that is counted in bytes.

#include <cuda_runtime.h>

void use(const void* memory);

void image(const unsigned char* pixels, int n) {
  unsigned char* d = nullptr;
  cudaMalloc(&d, n * sizeof(unsigned char));
  cudaMemcpy(d, pixels, n, cudaMemcpyHostToDevice);
  use(d);
  void* raw = nullptr;
  cudaMalloc(&raw, n);
  cudaMemcpy(raw, pixels, n, cudaMemcpyHostToDevice);
  use(raw);
}
