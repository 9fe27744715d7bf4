// Fields whose memory is filled before a kernel reads it, or may be.
#include <cuda_runtime.h>

struct Grid {
  float *now, *next;
  int n;
};

__global__ void begin(Grid grid) { grid.now[threadIdx.x] = grid.next[threadIdx.x] = 0; }
__global__ void step(Grid grid) { grid.next[threadIdx.x] = grid.now[threadIdx.x]; }
__global__ void begin_or_step(Grid grid, bool first) {
  if (first)
    grid.now[threadIdx.x] = 1;
  else
    grid.next[threadIdx.x] = grid.now[threadIdx.x];
}

void make(Grid& grid, int n) {
  grid.n = n;
  cudaMalloc(&grid.now, n * sizeof(float));
  cudaMalloc(&grid.next, n * sizeof(float));
}
void fill(Grid& grid, const float* h) {
  cudaMemcpy(grid.now, h, grid.n * sizeof(float), cudaMemcpyHostToDevice);
}
void clear(Grid* grid) { cudaMemset(grid->now, 0, grid->n * sizeof(float)); }
void elsewhere(Grid& grid);

void by_a_kernel() {
  Grid grid;
  make(grid, 32);
  begin<<<1, 32>>>(grid);
  step<<<1, 32>>>(grid);
}
void by_a_copy(const float* h) {
  Grid grid;
  make(grid, 32);
  fill(grid, h);
  step<<<1, 32>>>(grid);
}
void by_its_address() {
  Grid grid;
  make(grid, 32);
  clear(&grid);
  step<<<1, 32>>>(grid);
}
void by_others() {
  Grid grid;
  make(grid, 32);
  elsewhere(grid);
  step<<<1, 32>>>(grid);
}
void by_another_object() {
  Grid grid;
  make(grid, 32);
  Grid same = grid;
  begin<<<1, 32>>>(same);
  step<<<1, 32>>>(grid);
}
void by_another_pointer() {
  Grid grid;
  make(grid, 32);
  float* now = grid.now;
  cudaMemset(now, 0, 128);
  step<<<1, 32>>>(grid);
}
void by_the_first_of_two() {
  Grid grid;
  make(grid, 32);
  begin_or_step<<<1, 32>>>(grid, true);
  begin_or_step<<<1, 32>>>(grid, false);
}

class Buffer {
 public:
  explicit Buffer(int n) : n_(n) { cudaMalloc(&data_, n * sizeof(float)); }
  ~Buffer() { cudaFree(data_); }
  void upload(const float* h) { cudaMemcpy(data_, h, n_ * sizeof(float), cudaMemcpyHostToDevice); }
  float* data() { return data_; }

 private:
  float* data_ = nullptr;
  int n_;
};

__global__ void copied(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; }

void by_a_method(const float* h) {
  Buffer x(32), y(32);
  x.upload(h);
  y.upload(h);
  for (int i = 0; i < 10; ++i) copied<<<1, 32>>>(x.data(), y.data());
}
