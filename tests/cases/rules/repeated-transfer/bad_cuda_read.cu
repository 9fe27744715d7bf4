// Code that only reads the elements changes none.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

void by_an_algorithm(std::vector<float>& h, const float* d) {
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);
  std::printf("%f\n", *std::max_element(h.begin(), h.end()));
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);  // LINT: repeated-transfer
  std::printf("%f\n", std::accumulate(h.begin(), h.end(), 0.0f));
}

void by_a_loop(std::vector<float>& h, const float* d) {
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);
  for (const float value : h) std::printf("%f\n", value);
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);  // LINT: repeated-transfer
  std::printf("%f\n", h[0]);
}

__global__ void sum_from(float* x, float* sum, int n) {
  for (int i = 0; i < n; ++i) *sum += *x++;
}

void by_a_pointer_that_moves_on(const float* h, float* d, float* sum) {
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);  // NOTE: repeated-transfer
  sum_from<<<1, 1>>>(d, sum, 32);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  sum_from<<<1, 1>>>(d, sum, 32);
}
