// The kernel gets the device's memory.

#include <cuda_runtime.h>

#include <vector>

__global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

class Buffer {
 public:
  explicit Buffer(int n) { cudaMalloc(&data_, n * sizeof(float)); }
  ~Buffer() { cudaFree(data_); }
  float* get() { return data_; }

 private:
  float* data_ = nullptr;
};

void copied(std::vector<float>& h) {
  const int n = static_cast<int>(h.size());
  Buffer d(n);
  cudaMemcpy(d.get(), h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, n>>>(d.get(), n);
  cudaMemcpy(h.data(), d.get(), n * sizeof(float), cudaMemcpyDeviceToHost);
}

void given(float* wherever, int n) { scale<<<1, n>>>(wherever, n); }
