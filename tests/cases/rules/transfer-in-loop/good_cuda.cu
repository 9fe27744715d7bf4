// The loop copies different data each time, or measures the copy.

#include <cuda_runtime.h>

#include <vector>

__global__ void step(const float* weights, float* state, int n) {
  const int i = threadIdx.x;
  if (i < n) state[i] += weights[i];
}
__global__ void normalise(float* x, int n) { x[threadIdx.x % n] /= n; }
bool converged(const float* state, int n);

void batches(const std::vector<float>& data, float* w, float* state, int n) {
  for (size_t at = 0; at + n <= data.size(); at += n) {
    cudaMemcpy(w, data.data() + at, n * sizeof(float), cudaMemcpyHostToDevice);
    step<<<1, n>>>(w, state, n);
  }
}

void consumed(const float* h, float* w, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    cudaMemcpy(w, h, n * sizeof(float), cudaMemcpyHostToDevice);
    normalise<<<1, n>>>(w, n);
  }
}

void watched(const float* w, float* state, float* h, int n) {
  do {
    step<<<1, n>>>(w, state, n);
    cudaMemcpy(h, state, n * sizeof(float), cudaMemcpyDeviceToHost);
  } while (!converged(h, n));
}

void measured(const float* h, float* d, int n) {
  for (int i = 0; i < 100; ++i) cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
}
