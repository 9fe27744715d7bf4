// Copies whose direction contradicts their pointers.

#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

void swapped(int n) {
  std::vector<float> h(n);
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: copy-kind, fix
  cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: copy-kind, fix
}

void from_the_host(const std::vector<float>& h, float* to) {
  float* d = nullptr;
  cudaMalloc(&d, h.size() * sizeof(float));
  cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyDeviceToDevice);  // LINT: copy-kind, fix
  cudaMemcpy(to, d, h.size() * sizeof(float), cudaMemcpyDeviceToHost);
}

void both_on_the_device(int n) {
  float *a = nullptr, *b = nullptr;
  if (cudaMalloc(&a, n) != cudaSuccess || cudaMalloc(&b, n) != cudaSuccess) return;
  cudaMemcpy(b, a, n, cudaMemcpyHostToDevice);  // LINT: copy-kind, fix
}

void asynchronous(cudaStream_t stream) {
  int count = 0;
  int* d_count = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&d_count), sizeof(int));
  cudaMemcpyAsync(&count, d_count, sizeof(int), cudaMemcpyHostToDevice, stream);  // LINT: copy-kind, fix
  cudaStreamSynchronize(stream);
}
