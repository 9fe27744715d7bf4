// The host reads what is still being copied from an array.
#include <cuda_runtime.h>

float first(cudaArray_t array, int width, int height, cudaStream_t stream) {
  const size_t row = width * sizeof(float);
  float* h;
  cudaMallocHost(&h, height * row);
  cudaMemcpy2DFromArrayAsync(h, row, array, 0, 0, row, height,  // NOTE: read-before-sync
                             cudaMemcpyDeviceToHost, stream);
  const float first = h[0];  // LINT: read-before-sync
  cudaStreamSynchronize(stream);
  cudaFreeHost(h);
  return first;
}
