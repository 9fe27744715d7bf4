// Pointers in globals and fields that point elsewhere once their memory is freed, or may.
#include <cuda_runtime.h>

__global__ void fill(float* x) { x[threadIdx.x] = 1; }

static float* state;
void elsewhere();

void make_state() { cudaMalloc(&state, 128); }
void make(float** out) { cudaMalloc(out, 128); }

void made_again() {
  cudaFree(state);
  cudaMalloc(&state, 256);
  fill<<<1, 32>>>(state);
}
void made_by_a_function() {
  cudaFree(state);
  make_state();
  fill<<<1, 32>>>(state);
}
void made_through_its_address() {
  cudaFree(state);
  make(&state);
  fill<<<1, 32>>>(state);
}
void made_by_a_lambda() {
  const auto again = [] { cudaMalloc(&state, 128); };
  cudaFree(state);
  again();
  fill<<<1, 32>>>(state);
}
void nobody_knows() {
  cudaFree(state);
  elsewhere();
  fill<<<1, 32>>>(state);
}

class Field {
 public:
  void reserve(int n) {
    if (n > n_) {
      if (x_ != nullptr) cudaFree(x_);
      cudaMalloc(&x_, n * sizeof(float));
      n_ = n;
    }
    fill<<<1, n>>>(x_);
  }
  void by_a_method() {
    cudaFree(x_);
    grow();
    fill<<<1, 32>>>(x_);
  }
  void by_a_function() {
    cudaFree(x_);
    elsewhere();
    fill<<<1, 32>>>(x_);
  }

 private:
  void grow();

  float* x_ = nullptr;
  int n_ = 0;
};

struct Grid {
  float *now, *next;
  Grid* coarser;
};
void refine(Grid* grid);

void of_each(Grid* grids, int n) {
  for (int i = 0; i < n; ++i) {
    fill<<<1, 32>>>(grids[i].now);
    cudaFree(grids[i].now);
  }
}
void of_a_list(Grid* grid) {
  while (grid != nullptr) {
    fill<<<1, 32>>>(grid->now);
    cudaFree(grid->now);
    grid = grid->coarser;
  }
}
void refined(Grid* grid) {
  cudaFree(grid->now);
  refine(grid);
  fill<<<1, 32>>>(grid->now);
}
void another_grid(Grid& one, Grid& other) {
  cudaFree(one.now);
  fill<<<1, 32>>>(other.now);
}
void replaced(Grid& one, const Grid& other) {
  cudaFree(one.now);
  one = other;
  fill<<<1, 32>>>(one.now);
}

void run() {
  Field field;
  field.reserve(64);
  field.by_a_method();
  field.by_a_function();
}
