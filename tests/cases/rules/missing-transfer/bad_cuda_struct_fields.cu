// A kernel reads a field's memory that nobody has filled: allocated here, by a function, by a
// constructor.
#include <cuda_runtime.h>

struct Grid {
  float *now, *next;
  int n;
};

__global__ void step(Grid grid) { grid.next[threadIdx.x] = grid.now[threadIdx.x]; }
__global__ void copied(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; }

void make(Grid& grid, int n) {
  grid.n = n;
  cudaMalloc(&grid.now, n * sizeof(float));
  cudaMalloc(&grid.next, n * sizeof(float));
}

void made_here() {
  Grid grid;
  cudaMalloc(&grid.now, 128);
  cudaMalloc(&grid.next, 128);
  step<<<1, 32>>>(grid);  // LINT: missing-transfer
  cudaFree(grid.now);
  cudaFree(grid.next);
}

void made_by_a_function() {
  Grid grid;
  make(grid, 32);
  step<<<1, 32>>>(grid);  // LINT: missing-transfer
}

class Buffer {
 public:
  explicit Buffer(int n) { cudaMalloc(&data_, n * sizeof(float)); }
  ~Buffer() { cudaFree(data_); }
  float* data() { return data_; }

 private:
  float* data_ = nullptr;
};

void made_by_a_constructor(float* y) {
  Buffer x(32);
  copied<<<1, 32>>>(x.data(), y);  // LINT: missing-transfer
}
