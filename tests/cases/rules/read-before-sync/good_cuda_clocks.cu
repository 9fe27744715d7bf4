// Time passes until the work is done, or something that is not known lets it.

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <thread>

__global__ void scale(float* p) { p[threadIdx.x] *= 2; }
void finish();

void sleeps(int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  for (int i = 0; i < n; ++i) p[i] = 1;
  scale<<<1, n>>>(p);
  while (cudaStreamQuery(0) == cudaErrorNotReady)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::printf("%f\n", p[0]);
  cudaFree(p);
}

void finishes_elsewhere(int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  for (int i = 0; i < n; ++i) p[i] = 1;
  scale<<<1, n>>>(p);
  const auto begin = std::chrono::steady_clock::now();
  finish();
  const auto end = std::chrono::steady_clock::now();
  std::printf("%f %f\n", p[0], std::chrono::duration<double>(end - begin).count());
  cudaFree(p);
}
