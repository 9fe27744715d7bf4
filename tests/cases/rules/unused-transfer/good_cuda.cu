// Copies that are looked at, timed, handed on or kept.

#include <cuda_runtime.h>

#include <cstdlib>

void look(const float*);

void looked_at(const float* d, int n) {
  float* seen = static_cast<float*>(std::malloc(n * sizeof(float)));
  cudaMemcpy(seen, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  look(seen);
  std::free(seen);
}

void timed(int n, const float* h, cudaEvent_t event) {
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  cudaEventRecord(event);
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaFree(a);
}

float* handed_on(int n, const float* h) {
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  return a;
}

struct Net {
  float* weights;
  void load(const float* h, int n) {
    cudaMalloc(&weights, n);
    cudaMemcpy(weights, h, n, cudaMemcpyHostToDevice);
  }
};
