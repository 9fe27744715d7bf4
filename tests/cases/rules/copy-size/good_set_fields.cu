// Sizes in fields that the function sets: they fit, or are those of another object.

#include <cuda_runtime.h>

#include <cstddef>

class Series {
 public:
  Series(const float* from, int n) : count_(n), bytes_(n * sizeof(float)) {
    cudaMalloc(&data_, bytes_);
    cudaMemcpy(data_, from, count_ * sizeof(float), cudaMemcpyHostToDevice);
  }
  void renew(const float* from, int n) {
    cudaFree(data_);
    count_ = n;
    cudaMalloc(&data_, count_ * sizeof(float));
    count_ /= 4;
    cudaMemcpy(data_, from, 4 * count_ * sizeof(float), cudaMemcpyHostToDevice);
  }
  /// Its own have not changed.
  void beside(Series& other, const float* from, int n) {
    cudaFree(data_);
    count_ = n;
    cudaMalloc(&data_, count_ * sizeof(float));
    other.count_ = n / 4;
    other.bytes_ = 4;
    cudaMemcpy(data_, from, n * sizeof(float), cudaMemcpyHostToDevice);
  }
  void grow(const float* from, int n) {
    if (n > count_) {
      cudaFree(data_);
      count_ = n;
      cudaMalloc(&data_, count_ * sizeof(float));
    }
    cudaMemcpy(data_, from, n * sizeof(float), cudaMemcpyHostToDevice);
  }

 private:
  int count_;
  std::size_t bytes_;
  float* data_;
};
