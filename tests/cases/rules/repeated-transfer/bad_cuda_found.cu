// An iterator only looks at what an algorithm has found.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

int best_of(const float* data, int n) {
  std::vector<float> scores(n);
  cudaMemcpy(scores.data(), data, 4 * n, cudaMemcpyDeviceToHost);
  const auto best = std::max_element(scores.begin(), scores.end());
  std::printf("%d: %f\n", static_cast<int>(best - scores.begin()), *best);
  cudaMemcpy(scores.data(), data, 4 * n, cudaMemcpyDeviceToHost);  // LINT: repeated-transfer
  return std::distance(scores.begin(), std::min_element(scores.begin(), scores.end()));
}

int first_of(const float* data, int n) {
  std::vector<float> scores(n);
  cudaMemcpy(scores.data(), data, 4 * n, cudaMemcpyDeviceToHost);
  auto found = std::find(scores.begin(), scores.end(), 1.0f);
  if (found == scores.end()) return -1;
  cudaMemcpy(scores.data(), data, 4 * n, cudaMemcpyDeviceToHost);  // LINT: repeated-transfer
  return std::distance(scores.begin(), found) + (scores[0] > 0);
}
