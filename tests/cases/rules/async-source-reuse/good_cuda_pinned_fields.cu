// Memory that another function allocated, written to when its copy has ended, or may have.
#include <cuda_runtime.h>

#include <vector>

class Upload {
 public:
  Upload() : ordinary_(32) {
    cudaMallocHost(&host_, 128);
    cudaMalloc(&device_, 128);
    cudaStreamCreate(&stream_);
  }
  void put(float x) {
    cudaMemcpyAsync(device_, host_, 128, cudaMemcpyHostToDevice, stream_);
    cudaStreamSynchronize(stream_);
    host_[0] = x;
  }
  void put_the_next(float x) {
    cudaStreamSynchronize(stream_);
    host_[0] = x;
    cudaMemcpyAsync(device_, host_, 128, cudaMemcpyHostToDevice, stream_);
  }
  // Staged before the call returns.
  void put_pageable(float x) {
    cudaMemcpyAsync(device_, ordinary_.data(), 128, cudaMemcpyHostToDevice, stream_);
    ordinary_[0] = x;
  }

 private:
  std::vector<float> ordinary_;
  float *host_ = nullptr, *device_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

// No code here says that the caller's memory is pinned.
void step(float* on_device, float* host, float x, cudaStream_t stream) {
  cudaMemcpyAsync(on_device, host, 128, cudaMemcpyHostToDevice, stream);
  host[1] = x;
  cudaStreamSynchronize(stream);
}
