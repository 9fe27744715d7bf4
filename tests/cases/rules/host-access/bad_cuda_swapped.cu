// Pointers that a loop swaps are all on the device.

#include <cuda_runtime.h>

#include <utility>

__global__ void advance(const float* now, float* next, int n);

class Wave {
 public:
  explicit Wave(int n) : n_(n) {
    cudaMalloc(&before_, n * sizeof(float));
    cudaMalloc(&now_, n * sizeof(float));
    cudaMalloc(&next_, n * sizeof(float));
  }
  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      advance<<<1, 32>>>(now_, next_, n_);
      float* recycled = before_;
      before_ = now_;
      now_ = next_;
      next_ = recycled;
    }
  }
  float centre() const { return now_[n_ / 2]; }  // LINT: host-access

 private:
  float *before_, *now_, *next_;
  int n_;
};

class Pair {
 public:
  explicit Pair(int n) : n_(n) {
    cudaMalloc(&now_, n * sizeof(float));
    cudaMalloc(&next_, n * sizeof(float));
  }
  float run(int steps) {
    for (int step = 0; step < steps; ++step) {
      advance<<<1, 32>>>(now_, next_, n_);
      std::swap(now_, next_);
    }
    return now_[0];  // LINT: host-access
  }

 private:
  float *now_, *next_;
  int n_;
};

float run_both() {
  Wave wave(64);
  wave.run(10);
  Pair pair(64);
  return wave.centre() + pair.run(10);
}
