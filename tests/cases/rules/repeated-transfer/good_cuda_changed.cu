#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

void sorted(std::vector<float>& h, const float* d) {
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);
  std::sort(h.begin(), h.end());
  std::printf("%f\n", h[0]);
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);
}

void halved(std::vector<float>& h, const float* d) {
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);
  for (float& value : h) value /= 2;
  std::printf("%f\n", h[0]);
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);
}

void by_what_was_found(std::vector<float>& h, const float* d) {
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);
  *std::max_element(h.begin(), h.end()) = 0;
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);
}
