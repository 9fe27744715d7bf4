// Sizes in fields that the same function sets.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

class Samples {
 public:
  Samples(const float* from, int n) : count_(n), bytes_(n * sizeof(float)) {
    cudaMalloc(&data_, bytes_);
    cudaMemcpy(data_, from, count_, cudaMemcpyHostToDevice);  // LINT: copy-size
  }
  void renew(const float* from, int n) {
    count_ = n;
    bytes_ = n * sizeof(float);
    cudaFree(data_);
    cudaMalloc(&data_, bytes_);
    cudaMemcpy(data_, from, count_, cudaMemcpyHostToDevice);                 // LINT: copy-size
    cudaMemcpy(data_, from, 2 * n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: copy-size
  }

 private:
  int count_;
  std::size_t bytes_;
  float* data_;
};

class Fixture {
 protected:
  void SetUp() {
    bytes = kCount * sizeof(float);
    host.resize(kCount);
    cudaMalloc(&device, bytes);
    cudaMemcpy(device, host.data(), 2 * bytes, cudaMemcpyHostToDevice);  // LINT: copy-size
  }

  static constexpr int kCount = 10;
  std::size_t bytes;
  std::vector<float> host;
  float* device;
};
