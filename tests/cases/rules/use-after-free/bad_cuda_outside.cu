// Memory that is freed by a pointer in a global or a field, and used by the same pointer.
#include <cuda_runtime.h>

__global__ void step(float* x) { x[threadIdx.x] += 1; }

static float* state;

void of_a_global() {
  cudaFree(state);
  step<<<1, 32>>>(state);  // LINT: use-after-free
}

class Field {
 public:
  void finish(float* h) {
    cudaFree(x_);
    cudaMemcpy(h, x_, 128, cudaMemcpyDeviceToHost);  // LINT: use-after-free
  }

 private:
  float* x_ = nullptr;
};

struct Grid {
  float *now, *next;
};

void of_a_struct(Grid* grid) {
  cudaFree(grid->next);
  step<<<1, 32>>>(grid->now);
  step<<<1, 32>>>(grid->next);  // LINT: use-after-free
}

void twice(Grid& grid) {
  cudaFree(grid.now);
  cudaFree(grid.now);  // LINT: use-after-free
}

void end(float* h) { Field().finish(h); }
