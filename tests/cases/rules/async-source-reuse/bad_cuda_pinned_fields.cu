// Pinned memory that another function allocated, written to while it is being copied.
#include <cuda_runtime.h>

class Upload {
 public:
  Upload() {
    cudaMallocHost(&host_, 128);
    cudaMalloc(&device_, 128);
    cudaStreamCreate(&stream_);
  }
  void put(float x) {
    cudaMemcpyAsync(device_, host_, 128, cudaMemcpyHostToDevice, stream_);
    host_[0] = x;  // LINT: async-source-reuse
  }

 private:
  float *host_ = nullptr, *device_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

static float* staging;

void begin() { cudaMallocHost(&staging, 128); }

void step(float* on_device, float x, cudaStream_t stream) {
  cudaMemcpyAsync(on_device, staging, 128, cudaMemcpyHostToDevice, stream);
  staging[1] = x;  // LINT: async-source-reuse
  cudaStreamSynchronize(stream);
}
