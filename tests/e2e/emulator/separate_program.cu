// A program of three files whose kernels use each other's functions and variables. With an
// argument: it launches a kernel from a kernel.

#include <cuda_runtime.h>

#include <cstdio>

#include "separate_program.cuh"

#define CHECK(call)                                                         \
  do {                                                                      \
    const cudaError_t error = (call);                                       \
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorName(error)); \
  } while (false)

// Another file has a variable, a function and a kernel of these names.
static __device__ int hidden = 1;
static __device__ __noinline__ int hidden_function(int x) { return x + hidden; }
static __global__ void hidden_kernel(int* out) { *out = hidden_function(10); }

__global__ void functions(int* out) {
  out[0] = weighted(static_cast<int>(threadIdx.x) + 2);
  out[1] = operations[0](5);
  out[2] = operations[1](5);
  out[3] = make_square()->corners();
}

__global__ void variables(int* out) {
  out[0] = atomicAdd(&counter, 1);
  out[1] = weights[3];
  out[2] = managed;
  out[3] = next<int>();
  managed = 8;
}

__global__ void launches() { variables<<<1, 1>>>(nullptr); }

namespace {

void print(const char* what, const int* memory) {
  int values[4];
  CHECK(cudaMemcpy(values, memory, sizeof(values), cudaMemcpyDeviceToHost));
  std::printf("%s %d %d %d %d\n", what, values[0], values[1], values[2], values[3]);
}

}  // namespace

int main(int argc, char**) {
  int* out = nullptr;
  CHECK(cudaMalloc(&out, 4 * sizeof(int)));
  CHECK(cudaMemset(out, 0, 4 * sizeof(int)));
  if (argc > 1) {
    launches<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    return 0;
  }
  functions<<<1, 1>>>(out);
  print("functions", out);
  variables<<<1, 1>>>(out);
  print("variables", out);
  std::printf("managed %d\n", managed);
  int value = 20;
  CHECK(cudaMemcpyToSymbol(counter, &value, sizeof(value)));
  variables<<<1, 1>>>(out);
  print("variables", out);
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof(value)));
  std::printf("counter %d\n", value);
  hidden_kernel<<<1, 1>>>(out);
  run_hidden(out + 1);
  print("hidden", out);
  return 0;
}
