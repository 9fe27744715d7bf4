// The host reads what a kernel is still writing to: managed memory, pinned memory.

#include <cuda_runtime.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#define CHECK(call)                                                       \
  do {                                                                    \
    cudaError_t error = (call);                                           \
    if (error != cudaSuccess) std::puts(cudaGetErrorString(error));       \
  } while (0)

inline void check(cudaError_t code, const char* file, int line) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(code));
}

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }
__device__ void put(float* to, float value) { *to = value; }
__global__ void fill(float* x) { put(x + threadIdx.x, 1); }
__global__ void sum(const float* x, float* total) { atomicAdd(total, x[threadIdx.x]); }

float add_up(const float* x, int n) {
  float all = 0;
  for (int i = 0; i < n; ++i) all += x[i];
  return all;
}

void managed(int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  for (int i = 0; i < n; ++i) p[i] = 1;
  scale<<<1, n>>>(p, n);  // NOTE: read-before-sync
  CHECK(cudaGetLastError());
  std::printf("launched\n");
  std::printf("%f\n", p[0]);  // LINT: read-before-sync
  cudaFree(p);
}

void by_a_callee(int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  fill<<<1, n>>>(p);
  check(cudaPeekAtLastError(), __FILE__, __LINE__);
  std::cout << "sum: " << n << std::endl;
  float all = add_up(p, n);  // LINT: read-before-sync
  std::cout << all;
  cudaFree(p);
}

void atomically(const float* x, int n, std::string& text) {
  float* total = nullptr;
  cudaMallocHost(&total, sizeof(float));
  *total = 0;
  sum<<<1, n>>>(x, total);
  std::vector<int> other(3);
  text += "x";
  if (*total > 1) other[0] = 1;  // LINT: read-before-sync
  cudaFreeHost(total);
}

void registered(float* h, const float* d, int n) {
  cudaHostRegister(h, n * sizeof(float), cudaHostRegisterDefault);
  cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, 0);
  float all = add_up(h, n);  // LINT: read-before-sync
  std::printf("%f\n", all);
  cudaHostUnregister(h);
}

struct Pair {
  float x, y;
};
__global__ void turn(Pair* pairs) { pairs[threadIdx.x] = Pair{1, 2}; }
float length(Pair pair) { return pair.x + pair.y; }

void of_objects(int n) {
  Pair* pairs = nullptr;
  cudaMallocManaged(&pairs, n * sizeof(Pair));
  turn<<<1, n>>>(pairs);
  std::printf("%f\n", length(pairs[0]));  // LINT: read-before-sync
  cudaFree(pairs);
}
