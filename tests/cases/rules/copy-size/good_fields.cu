#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

__global__ void step(float* x) { x[threadIdx.x] *= 2; }

class Right {
 public:
  explicit Right(int n) : n_(n) { cudaMalloc(&values_, n * sizeof(float)); }
  void upload(const float* from) {
    cudaMemcpy(values_, from, n_ * sizeof(float), cudaMemcpyHostToDevice);
  }
  void upload_part(const float* from, int count) {
    cudaMemcpy(values_, from, count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(values_ + count, from, (n_ - count) * sizeof(float), cudaMemcpyHostToDevice);
  }

 private:
  int n_;
  float* values_ = nullptr;
};

/// The part in use may be smaller than the allocation.
class Pool {
 public:
  explicit Pool(int capacity) : used_(capacity) { cudaMalloc(&values_, used_ * sizeof(float)); }
  void remove() { --used_; }
  void add(const float* from) {
    cudaMemcpy(values_, from, (used_ + 1) * sizeof(float), cudaMemcpyHostToDevice);
    ++used_;
  }

 private:
  int used_;
  float* values_ = nullptr;
};

/// Grows, and never shrinks.
class Growing {
 public:
  void resize(int n) {
    if (n > n_) {
      cudaFree(values_);
      cudaMalloc(&values_, n * sizeof(float));
    }
    n_ = n;
  }
  void upload(const float* from) {
    cudaMemcpy(values_, from, (n_ + 1) * sizeof(float), cudaMemcpyHostToDevice);
  }

 private:
  int n_ = 0;
  float* values_ = nullptr;
};

class TwoPlaces {
 public:
  explicit TwoPlaces(int n) : n_(n) { cudaMalloc(&values_, n * sizeof(float)); }
  void larger() {
    cudaFree(values_);
    cudaMalloc(&values_, 2 * n_ * sizeof(float));
  }
  void upload(const float* from) {
    cudaMemcpy(values_, from, 2 * n_ * sizeof(float), cudaMemcpyHostToDevice);
  }

 private:
  int n_;
  float* values_ = nullptr;
};

class Swapped {
 public:
  explicit Swapped(int n) : n_(n) {
    cudaMalloc(&one_, n * sizeof(float));
    cudaMalloc(&other_, 2 * n * sizeof(float));
  }
  void swap() { std::swap(one_, other_); }
  void upload(const float* from) {
    cudaMemcpy(one_, from, 2 * n_ * sizeof(float), cudaMemcpyHostToDevice);
  }

 private:
  int n_;
  float *one_, *other_;
};

class Rounded {
 public:
  explicit Rounded(int n) : n_(n) {
    n = (n + 31) / 32 * 32;
    cudaMalloc(&values_, n * sizeof(float));
  }
  void upload(const float* from) {
    cudaMemcpy(values_, from, (n_ + 1) * sizeof(float), cudaMemcpyHostToDevice);
  }

 private:
  int n_;
  float* values_ = nullptr;
};
