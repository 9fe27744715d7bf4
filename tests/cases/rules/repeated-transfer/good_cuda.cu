// Something changed in between, or may have.

#include <cuda_runtime.h>

#include <vector>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

void overwritten(const float* h, float* d, int n) {
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, n>>>(d, n);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);  // the input again
}

void changed(std::vector<float>& h, float* d) {
  cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
  for (float& x : h) x += 1;
  cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
}

void parts(const float* h, float* d, int n) {
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h + n, n * sizeof(float), cudaMemcpyHostToDevice);
}

void refill(float* h, int n);

void elsewhere(float* h, float* d, int n) {
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  refill(h, n);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
}
