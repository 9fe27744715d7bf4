// A copy and its way back between two spans that are timed, and in neither.

#include <cuda_runtime.h>

#include <cstdio>

class Timer {
 public:
  void start();
  void stop();
};

__global__ void sum(const float* x, float* total) { atomicAdd(total, x[threadIdx.x]); }
__global__ void scale(float* x, const float* total) { x[threadIdx.x] /= *total; }

void by_a_class(float* x, int n) {
  Timer timer;
  float *total = nullptr, on_host = 0;
  cudaMalloc(&total, sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  timer.start();
  sum<<<1, n>>>(x, total);
  timer.stop();
  cudaMemcpy(&on_host, total, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", on_host);
  cudaMemcpy(total, &on_host, sizeof(float), cudaMemcpyHostToDevice);  // LINT: round-trip
  timer.start();
  scale<<<1, n>>>(x, total);
  timer.stop();
  cudaFree(total);
}

void by_events(float* x, int n) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  float *total = nullptr, on_host = 0, time = 0;
  cudaMalloc(&total, sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  cudaEventRecord(start);
  sum<<<1, n>>>(x, total);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  cudaMemcpy(&on_host, total, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(total, &on_host, sizeof(float), cudaMemcpyHostToDevice);  // LINT: round-trip
  cudaEventElapsedTime(&time, start, stop);
  std::printf("%f %f\n", time, on_host);
  scale<<<1, n>>>(x, total);
  cudaFree(total);
}
