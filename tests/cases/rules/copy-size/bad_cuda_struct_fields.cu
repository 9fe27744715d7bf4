// The memory of a field, which another function allocates for this object.
#include <cuda_runtime.h>

struct Grid {
  float *now, *next;
};

void make(Grid& grid, int n) {
  cudaMalloc(&grid.now, n * sizeof(float));
  cudaMalloc(&grid.next, n * sizeof(float));
}

void elements(const float* h, int n) {
  Grid grid;
  make(grid, n);
  cudaMemcpy(grid.now, h, n, cudaMemcpyHostToDevice);  // LINT: copy-size
}

void too_many(const float* h, int n) {
  Grid grid;
  make(grid, n);
  cudaMemcpy(grid.now, h, 2 * n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: copy-size
}

struct Buffer {
  explicit Buffer(int n) { cudaMalloc(&data, n * sizeof(float)); }
  ~Buffer() { cudaFree(data); }

  float* data;
};

void of_a_constructor(const float* h) {
  Buffer buffer(10);
  cudaMemcpy(buffer.data, h, 80, cudaMemcpyHostToDevice);  // LINT: copy-size
}
