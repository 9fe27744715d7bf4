// Waited for, or pageable: then the call comes back when the copy is done.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

void waited(const float* d, int n, cudaStream_t stream) {
  float* h = nullptr;
  cudaMallocHost(&h, n * sizeof(float));
  cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::printf("%f\n", h[0]);
  h[1] = 2;
  cudaFreeHost(h);
}

void pageable(const float* d, int n, cudaStream_t stream) {
  std::vector<float> h(n);
  cudaMemcpyAsync(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  std::printf("%f\n", h[0]);
}
