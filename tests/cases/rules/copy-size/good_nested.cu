// Arrays of arrays are one piece of memory: what begins at the first of them is all of it. A symbol
// that is named by its text is as long as it is declared.

#include <cuda_runtime.h>

#include <array>
#include <vector>

void use(const void* memory);

void arrays(float* d) {
  float rows[4][16] = {};
  std::array<std::array<float, 4>, 4> table{};
  cudaMemcpy(d, rows[0], sizeof(rows), cudaMemcpyHostToDevice);
  cudaMemcpy(d, &table[0][0], 64, cudaMemcpyHostToDevice);
  cudaMemcpy(d, table[0].data(), 64, cudaMemcpyHostToDevice);
  use(d);
}

void through_a_pointer(float* d, const float (*rows)[16]) {
  cudaMemcpy(d, rows[0], 4 * sizeof(*rows), cudaMemcpyHostToDevice);
  use(d);
  cudaMemcpy(d, *rows, 4 * sizeof(*rows), cudaMemcpyHostToDevice);
  use(d);
}

void rows_of_a_vector(float* d, const std::vector<std::array<float, 3>>& points) {
  cudaMemcpy(d, points[0].data(), points.size() * sizeof(points[0]), cudaMemcpyHostToDevice);
  cudaMemcpy(d, &points[0][0], points.size() * sizeof(points[0]), cudaMemcpyHostToDevice);
  use(d);
}

void named_by_text(const float* table) { cudaMemcpyToSymbol((const void*)"table", table, 4096); }
