// The loop copies what it never changes.

#include <cuda_runtime.h>

#include <vector>

__global__ void step(const float* weights, float* state, int n) {
  const int i = threadIdx.x;
  if (i < n) state[i] += weights[i];
}

void simulate(const std::vector<float>& weights, int steps) {
  const int n = static_cast<int>(weights.size());
  float *w = nullptr, *state = nullptr;
  cudaMalloc(&w, n * sizeof(float));
  cudaMalloc(&state, n * sizeof(float));
  cudaMemset(state, 0, n * sizeof(float));
  for (int s = 0; s < steps; ++s) {                                               // NOTE: transfer-in-loop
    cudaMemcpy(w, weights.data(), n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: transfer-in-loop
    step<<<1, n>>>(w, state, n);
  }
}
