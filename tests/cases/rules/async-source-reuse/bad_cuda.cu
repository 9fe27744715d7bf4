// Pinned memory is filled again while the copy from it is under way.

#include <cuda_runtime.h>

void refilled(float* d, int n, cudaStream_t stream) {
  float* h = nullptr;
  cudaMallocHost(&h, n * sizeof(float));
  for (int i = 0; i < n; ++i) h[i] = 1;
  cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, stream);  // NOTE: async-source-reuse
  h[0] = 2;                                                                    // LINT: async-source-reuse
  cudaStreamSynchronize(stream);
  cudaFreeHost(h);
}
