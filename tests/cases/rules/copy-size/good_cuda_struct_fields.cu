// The memory of a field is as large as what is copied, or is another by then.
#include <cuda_runtime.h>

struct Grid {
  float *now, *next;
  int n;
};

void make(Grid& grid, int n) {
  grid.n = n;
  cudaMalloc(&grid.now, n * sizeof(float));
  cudaMalloc(&grid.next, n * sizeof(float));
}
void grow(Grid& grid, int n) {
  cudaFree(grid.now);
  cudaMalloc(&grid.now, n * sizeof(float));
  grid.n = n;
}

void as_made(const float* h, int n) {
  Grid grid;
  make(grid, n);
  cudaMemcpy(grid.now, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(grid.next, h, grid.n * sizeof(float), cudaMemcpyHostToDevice);
}
void made_again(const float* h, int n) {
  Grid grid;
  make(grid, n);
  cudaFree(grid.now);
  cudaMalloc(&grid.now, 2 * n * sizeof(float));
  cudaMemcpy(grid.now, h, 2 * n * sizeof(float), cudaMemcpyHostToDevice);
}
void grown(const float* h, int n) {
  Grid grid;
  make(grid, n);
  grow(grid, 2 * n);
  cudaMemcpy(grid.now, h, 2 * n * sizeof(float), cudaMemcpyHostToDevice);
}
void grown_perhaps(const float* h, int n) {
  Grid grid;
  make(grid, n);
  if (n < 8) grow(grid, 8);
  cudaMemcpy(grid.now, h, grid.n * sizeof(float), cudaMemcpyHostToDevice);
}
void of_each_level(const float* h, int n) {
  for (int level = 1; level < 4; ++level) {
    Grid grid;
    make(grid, level * n);
    cudaMemcpy(grid.now, h, level * n * sizeof(float), cudaMemcpyHostToDevice);
    cudaFree(grid.now);
    cudaFree(grid.next);
  }
}

class Buffer {
 public:
  explicit Buffer(int n) { cudaMalloc(&data, n * sizeof(float)); }
  ~Buffer() { cudaFree(data); }
  void resize(int n) {
    cudaFree(data);
    cudaMalloc(&data, n * sizeof(float));
  }

  float* data;
};

void resized(const float* h) {
  Buffer buffer(10);
  buffer.resize(20);
  cudaMemcpy(buffer.data, h, 80, cudaMemcpyHostToDevice);
}
