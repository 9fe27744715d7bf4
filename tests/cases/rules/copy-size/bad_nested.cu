// All of an array of arrays is smaller than what is copied.

#include <cuda_runtime.h>

#include <array>
#include <vector>

void use(const void* memory);

void arrays(float* d) {
  float rows[4][16] = {};
  std::array<std::array<float, 4>, 4> table{};
  cudaMemcpy(d, rows[0], 512, cudaMemcpyHostToDevice);       // LINT: copy-size
  cudaMemcpy(d, &table[0][0], 128, cudaMemcpyHostToDevice);  // LINT: copy-size
  use(d);
}

void rows_of_a_vector(float* d, const std::vector<std::vector<float>>& rows) {
  cudaMemcpy(d, rows[1].data(), rows[1].size(), cudaMemcpyHostToDevice);  // LINT: copy-size
  cudaMemcpy(d, &rows[1][0], rows[1].size(), cudaMemcpyHostToDevice);     // LINT: copy-size
  use(d);
}
