// The loop measures the cost of an allocation; each device needs its own.

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

__global__ void fill(float* x, int n) { x[threadIdx.x % n] = 2; }

void timed(int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    const auto start = std::chrono::steady_clock::now();
    float* d = nullptr;
    cudaMalloc(&d, n * sizeof(float));
    cudaFree(d);
    const auto took = std::chrono::steady_clock::now() - start;
    std::printf("%lld\n", static_cast<long long>(took.count()));
  }
}

void on_each_device(int n) {
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int device = 0; device < count; ++device) {
    cudaSetDevice(device);
    float* d = nullptr;
    cudaMalloc(&d, n * sizeof(float));
    fill<<<1, n>>>(d, n);
    cudaFree(d);
  }
}

// Nothing but allocations and frees: to be measured.
void of_nothing_else(int n) {
  for (int i = 0; i < n; ++i) {
    float* data = nullptr;
    cudaMalloc(&data, 4096);
    cudaFree(data);
  }
}

__global__ void nothing() {}

// The same, beside a kernel that uses none of it: the difference is what allocations cost.
void beside_a_kernel(int n, cudaEvent_t start, cudaEvent_t stop) {
  cudaEventRecord(start);
  for (int i = 0; i < n; ++i) {
    float* data = nullptr;
    cudaMalloc(&data, 4096);
    nothing<<<1, 32>>>();
    cudaFree(data);
  }
  cudaEventRecord(stop);
}

// No memory lives longer than the device's state.
void from_the_beginning(int n) {
  for (int i = 0; i < 3; ++i) {
    float* data = nullptr;
    cudaMalloc(&data, n * sizeof(float));
    fill<<<1, n>>>(data, n);
    cudaFree(data);
    cudaDeviceReset();
  }
}
