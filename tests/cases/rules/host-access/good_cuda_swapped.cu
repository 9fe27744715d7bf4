// Pointers that a loop swaps: on the host, managed, or not all where the others are.

#include <cuda_runtime.h>

#include <cstdlib>
#include <utility>

__global__ void fill_swapped(float* data, int n);

class OnHost {
 public:
  explicit OnHost(int n)
      : now_(static_cast<float*>(std::malloc(n * sizeof(float)))),
        next_(static_cast<float*>(std::malloc(n * sizeof(float)))) {}
  float run(int steps) {
    for (int step = 0; step < steps; ++step) std::swap(now_, next_);
    return now_[0];
  }

 private:
  float *now_, *next_;
};

class Managed {
 public:
  explicit Managed(int n) {
    cudaMallocManaged(&now_, n * sizeof(float));
    cudaMallocManaged(&next_, n * sizeof(float));
  }
  float run(int steps) {
    for (int step = 0; step < steps; ++step) {
      fill_swapped<<<1, 32>>>(now_, 32);
      std::swap(now_, next_);
    }
    cudaDeviceSynchronize();
    return now_[0];
  }

 private:
  float *now_, *next_;
};

/// The one that the host follows is swapped with others of the host.
class Both {
 public:
  explicit Both(int n) : host_(new float[n]), spare_(new float[n]) {
    cudaMalloc(&device_, n * sizeof(float));
  }
  float run(int steps) {
    for (int step = 0; step < steps; ++step) {
      cudaMemcpy(host_, device_, 32 * sizeof(float), cudaMemcpyDeviceToHost);
      std::swap(host_, spare_);
    }
    return spare_[0];
  }

 private:
  float *host_, *spare_, *device_;
};

float run_swapped() {
  OnHost host(64);
  Managed managed(64);
  Both both(64);
  return host.run(3) + managed.run(3) + both.run(3);
}
