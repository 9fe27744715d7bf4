// Memory that another function allocated, and reads of it that wait, or need not.
#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

class Readout {
 public:
  explicit Readout(int n) : n_(n), ordinary_(n) {
    cudaMallocHost(&host_, n * sizeof(float));
    cudaMalloc(&device_, n * sizeof(float));
    cudaStreamCreate(&stream_);
  }
  float waits() {
    cudaMemcpyAsync(host_, device_, n_ * sizeof(float), cudaMemcpyDeviceToHost, stream_);
    cudaStreamSynchronize(stream_);
    return host_[0];
  }
  float waits_within() {
    cudaMemcpyAsync(host_, device_, n_ * sizeof(float), cudaMemcpyDeviceToHost, stream_);
    finish();
    return host_[1];
  }
  // A copy to pageable memory has ended when its call returns.
  float of_pageable_memory() {
    cudaMemcpyAsync(ordinary_.data(), device_, n_ * sizeof(float), cudaMemcpyDeviceToHost, stream_);
    return ordinary_[0];
  }

 private:
  void finish() { cudaStreamSynchronize(stream_); }

  int n_;
  std::vector<float> ordinary_;
  float *host_ = nullptr, *device_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

// Pinned in some runs only.
struct Frame {
  float *host, *on_device;
};

Frame make_frame(bool pinned) {
  Frame frame;
  if (pinned)
    cudaHostAlloc(&frame.host, 128, cudaHostAllocDefault);
  else
    frame.host = static_cast<float*>(std::malloc(128));
  cudaMalloc(&frame.on_device, 128);
  return frame;
}

float first_of(Frame& frame, cudaStream_t stream) {
  cudaMemcpyAsync(frame.host, frame.on_device, 128, cudaMemcpyDeviceToHost, stream);
  return frame.host[0];
}

// Whose memory it is nobody here knows.
float of_the_caller(float* host, const float* on_device, cudaStream_t stream) {
  cudaMemcpyAsync(host, on_device, 128, cudaMemcpyDeviceToHost, stream);
  return host[0];
}

int main(int argc, char**) {
  Readout readout(32);
  Frame frame = make_frame(argc > 1);
  if (argc == 2) return readout.waits() > 0;
  if (argc == 3) return readout.waits_within() > 0;
  return readout.of_pageable_memory() + first_of(frame, nullptr) > 0;
}
