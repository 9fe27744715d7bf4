// The host reads pinned memory that an asynchronous copy is still writing to.

#include <cuda_runtime.h>

#include <cstdio>

void early(const float* d, int n, cudaStream_t stream) {
  float* h = nullptr;
  cudaMallocHost(&h, n * sizeof(float));
  cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, stream);  // NOTE: read-before-sync
  std::printf("%f\n", h[0]);                                                   // LINT: read-before-sync
  cudaFreeHost(h);
}
