// Memory that a function allocates for its caller, which loses it.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void write_all(float* data, int n) { data[threadIdx.x] = n; }

namespace {

bool ok(cudaError_t result) {
  if (result == cudaSuccess) return true;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(result));
  return false;
}
bool make(int n, float** out) {
  *out = nullptr;
  return ok(cudaMalloc(reinterpret_cast<void**>(out), n * sizeof(float)));
}
template <class T>
T* made(std::size_t n) {
  T* data = nullptr;
  if (!ok(cudaMalloc(&data, n * sizeof(T)))) std::exit(1);
  return data;
}

void by_out_parameter(int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* scratch;
    if (!make(n, &scratch)) break;  // LINT: leak
    write_all<<<1, 32>>>(scratch, n);
  }
}

void by_result(int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    float* scratch = made<float>(n);  // LINT: leak
    write_all<<<1, 32>>>(scratch, n);
  }
}

void by_lambda(int n, int steps) {
  const auto allocate = [](int count) {
    float* data;
    cudaMalloc(&data, count * sizeof(float));
    return data;
  };
  for (int step = 0; step < steps; ++step) {
    float* scratch = allocate(n);  // LINT: leak
    write_all<<<1, 32>>>(scratch, n);
  }
}

}  // namespace
