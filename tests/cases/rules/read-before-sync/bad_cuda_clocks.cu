// A clock of the standard library is read in between: it waits for nothing.

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

using Clock = std::chrono::high_resolution_clock;

class Timer {
 public:
  void start() { begin_ = Clock::now(); }
  double elapsed() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin_).count();
  }

 private:
  Clock::time_point begin_;
};

__global__ void scale(float* p) { p[threadIdx.x] *= 2; }

void timed_read(int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  for (int i = 0; i < n; ++i) p[i] = 1;
  scale<<<1, n>>>(p);
  Timer timer;
  timer.start();
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += p[i];  // LINT: read-before-sync
  std::printf("%f %f\n", sum, timer.elapsed());
  cudaFree(p);
}
