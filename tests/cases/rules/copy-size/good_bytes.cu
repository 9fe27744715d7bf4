// Bytes, however they are written.

#include <cuda_runtime.h>

#include <vector>

void change(void* memory);

void bytes(const std::vector<float>& input, size_t size) {
  float* d = nullptr;
  const size_t bytes = input.size() * sizeof(float);
  cudaMalloc(&d, bytes);
  cudaMemcpy(d, input.data(), bytes, cudaMemcpyHostToDevice);
  change(d);
  cudaMemcpy(d, input.data(), input.size() * sizeof(*d), cudaMemcpyHostToDevice);
  change(d);
  cudaMemcpy(d, input.data(), size, cudaMemcpyHostToDevice);
  float first[4];
  cudaMemcpy(first, d, sizeof(first), cudaMemcpyDeviceToHost);
}
