// The functions of separate_program.

#include "separate_program.cuh"

static __device__ int hidden = 2;
static __device__ __noinline__ int hidden_function(int x) { return x + hidden; }
static __global__ void hidden_kernel(int* out) { *out = hidden_function(20) + next<int>(); }

__device__ int weighted(int value) { return value * weights[value % 4]; }

namespace {
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
}  // namespace

__device__ Operation operations[2] = {twice, square};

__device__ int Shape::corners() const { return 0; }

namespace {
struct Square : Shape {
  __device__ int corners() const override { return 4; }
};
}  // namespace

__device__ const Shape* make_square() { return new Square; }

void run_hidden(int* out) { hidden_kernel<<<1, 1>>>(out); }
