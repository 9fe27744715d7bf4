// The host takes pointers to device memory out of an array of its own, and hands them on.

#include <cuda_runtime.h>

__global__ void add(const float* from, float* to) { to[threadIdx.x] += from[threadIdx.x]; }

void gather(const float* from, float* to) { add<<<1, 32>>>(from, to); }
void gather_all(int count, const float* const* buffers, float* to) {
  for (int i = 0; i < count; ++i) gather(buffers[i], to);
}

class Sum {
 public:
  explicit Sum(const float* host) {
    for (int i = 0; i < 3; ++i) {
      cudaMalloc(&buffers_[i], 32 * sizeof(float));
      cudaMemcpy(buffers_[i], host, 32 * sizeof(float), cudaMemcpyHostToDevice);
    }
    cudaMalloc(&sum_, 32 * sizeof(float));
    cudaMemset(sum_, 0, 32 * sizeof(float));
  }
  void run() { gather_all(3, buffers_, sum_); }

 private:
  float* buffers_[3];
  float* sum_;
};

void of_a_field(const float* host) {
  Sum sum(host);
  sum.run();
}

void of_a_local(const float* host) {
  float *buffers[2], *sum;
  for (float*& buffer : buffers) {
    cudaMalloc(&buffer, 32 * sizeof(float));
    cudaMemcpy(buffer, host, 32 * sizeof(float), cudaMemcpyHostToDevice);
  }
  cudaMalloc(&sum, 32 * sizeof(float));
  cudaMemset(sum, 0, 32 * sizeof(float));
  gather_all(2, buffers, sum);
  cudaFree(sum);
}
