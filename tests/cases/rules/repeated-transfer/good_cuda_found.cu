// The code writes to the element that an algorithm has found.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

void clear_best(const float* data, int n) {
  std::vector<float> scores(n);
  cudaMemcpy(scores.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost);
  const auto best = std::max_element(scores.begin(), scores.end());
  *best = 0;
  std::printf("%f\n", scores[0]);
  cudaMemcpy(scores.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", scores[1]);
}

void swap_found(const float* data, int n) {
  std::vector<float> scores(n);
  cudaMemcpy(scores.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost);
  auto found = std::find(scores.begin(), scores.end(), 1.0f);
  if (found != scores.end()) std::swap(*found, scores[0]);
  std::printf("%f\n", scores[0]);
  cudaMemcpy(scores.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", scores[1]);
}

void handed_on(const float* data, int n, void (*change)(std::vector<float>::iterator)) {
  std::vector<float> scores(n);
  cudaMemcpy(scores.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost);
  auto least = std::min_element(scores.begin(), scores.end());
  change(least);
  std::printf("%f\n", scores[0]);
  cudaMemcpy(scores.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", scores[1]);
}
