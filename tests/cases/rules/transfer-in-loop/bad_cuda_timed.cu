// A loop that measures a kernel needs no copy in it, nor does one that is timed as a whole.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

__global__ void add(const float* x, float* sum) { sum[threadIdx.x] += x[threadIdx.x]; }

void of_the_kernel(const float* x, float* on_device, float* sum) {
  for (int i = 0; i < 10; ++i) {
    cudaMemcpy(on_device, x, 128, cudaMemcpyHostToDevice);  // LINT: transfer-in-loop
    const auto start = std::chrono::steady_clock::now();
    add<<<1, 32>>>(on_device, sum);
    cudaDeviceSynchronize();
    std::printf("%f\n",
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
}

void around_the_loop(const float* x, float* on_device, float* sum) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) {
    cudaMemcpy(on_device, x, 128, cudaMemcpyHostToDevice);  // LINT: transfer-in-loop
    add<<<1, 32>>>(on_device, sum);
  }
  cudaDeviceSynchronize();
  std::printf("%f\n",
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

// The downloaded result decides about the next iteration.
void until_done(const float* x, float* on_device, float* sum, float* result) {
  const auto start = std::chrono::steady_clock::now();
  do {
    cudaMemcpy(on_device, x, 128, cudaMemcpyHostToDevice);  // LINT: transfer-in-loop
    add<<<1, 32>>>(on_device, sum);
    cudaMemcpy(result, sum, 128, cudaMemcpyDeviceToHost);
  } while (result[0] < 1);
  const auto end = std::chrono::steady_clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());
}
