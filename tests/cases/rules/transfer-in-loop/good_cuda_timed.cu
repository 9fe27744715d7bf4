// Loops that are there to measure what a copy takes.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

__global__ void add(const float* x, float* sum) { sum[threadIdx.x] += x[threadIdx.x]; }

void by_events(const float* x, float* on_device, float* sum) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int i = 0; i < 10; ++i) {
    cudaEventRecord(start);
    cudaEventQuery(start);
    cudaMemcpy(on_device, x, 128, cudaMemcpyHostToDevice);
    add<<<1, 32>>>(on_device, sum);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float took;
    cudaEventElapsedTime(&took, start, stop);
    std::printf("%f\n", took);
  }
}

void by_a_clock(const float* x, const float* y, float* d_x, float* d_y, float* sum) {
  for (int i = 0; i < 10; ++i) {
    const auto start = std::chrono::steady_clock::now();
    cudaMemcpy(d_x, x, 128, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, 128, cudaMemcpyHostToDevice);
    const auto copied = std::chrono::steady_clock::now();
    add<<<1, 32>>>(d_x, sum);
    add<<<1, 32>>>(d_y, sum);
    std::printf("%f\n", std::chrono::duration<double>(copied - start).count());
  }
}

void in_the_inner_loop(const float* x, float* on_device, float* sum) {
  for (int size = 1; size < 4; ++size)
    for (int i = 0; i < 10; ++i) {
      const auto start = std::chrono::steady_clock::now();
      cudaMemcpy(on_device, x, 128, cudaMemcpyHostToDevice);
      add<<<size, 32>>>(on_device, sum);
      cudaDeviceSynchronize();
      std::printf("%f\n",
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
}

// Each turn is the same whole: up, the kernel, and down.
void both_ways(const float* x, float* on_device, float* sum, float* result) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) {
    cudaMemcpy(on_device, x, 128, cudaMemcpyHostToDevice);
    add<<<1, 32>>>(on_device, sum);
    cudaMemcpy(result, sum, 128, cudaMemcpyDeviceToHost);
  }
  const auto end = std::chrono::steady_clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());
}
