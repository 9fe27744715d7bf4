// A class whose methods are elsewhere times the code that allocates in a loop.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

class GPUTimer {
 public:
  void start();
  double stop();
};

__global__ void scale(float* x) { x[threadIdx.x] *= 2; }

void measure(int n, int runs) {
  std::vector<float> h(n, 1);
  GPUTimer timer;
  double time = 0;
  for (int run = 0; run < runs; ++run) {
    float* d = nullptr;
    timer.start();
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<1, 32>>>(d);
    cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
    time += timer.stop();
    cudaFree(d);
  }
  std::printf("%f %f\n", time, h[0]);
}
