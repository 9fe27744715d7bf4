// Device memory that a global, a member or an array has, or that two pointers swap.

#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

__global__ void step(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x] + 1; }

static float* grid;
void make(int n) { cudaMalloc(&grid, n * sizeof(float)); }
void show() { std::printf("%f\n", grid[0]); }  // LINT: host-access

class Field {
 public:
  explicit Field(int n) { cudaMalloc(&values_, n * sizeof(float)); }
  ~Field() { cudaFree(values_); }
  float first() const { return values_[0]; }  // LINT: host-access

 private:
  float* values_;
};

void swapped(int n, int steps) {
  float *now = nullptr, *next = nullptr;
  cudaMalloc(&now, n * sizeof(float));
  cudaMalloc(&next, n * sizeof(float));
  cudaMemset(now, 0, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    step<<<1, n>>>(now, next);
    std::swap(now, next);
  }
  std::printf("%f\n", now[0]);  // LINT: host-access
}

void in_an_array(int n) {
  float* levels[2];
  cudaMalloc(&levels[0], n * sizeof(float));
  cudaMalloc(&levels[1], n * sizeof(float));
  std::printf("%f\n", levels[1][0]);  // LINT: host-access
}

int main() {
  make(4);
  show();
}
