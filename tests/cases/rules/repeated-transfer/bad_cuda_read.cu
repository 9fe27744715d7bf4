// What only reads the elements changes none.
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
