// A copy and its way back that are timed, together or one by one.

#include <cuda_runtime.h>

#include <cstdio>

class Timer {
 public:
  void start();
  void stop();
};

void together(float* on_device, float* on_host, int n) {
  Timer timer;
  timer.start();
  cudaMemcpy(on_host, on_device, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(on_device, on_host, n * sizeof(float), cudaMemcpyHostToDevice);
  timer.stop();
}

void one_by_one(float* on_device, float* on_host, int n) {
  Timer down, up;
  down.start();
  cudaMemcpy(on_host, on_device, n * sizeof(float), cudaMemcpyDeviceToHost);
  down.stop();
  up.start();
  cudaMemcpy(on_device, on_host, n * sizeof(float), cudaMemcpyHostToDevice);
  up.stop();
}

void by_events(float* on_device, float* on_host, int n) {
  cudaEvent_t start, stop;
  float time = 0;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  cudaMemcpy(on_host, on_device, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(on_device, on_host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&time, start, stop);
  std::printf("%f\n", time);
}
