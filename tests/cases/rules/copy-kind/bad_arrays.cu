// Copies to and from arrays of a device, whose other side is not where they say.
#include <cuda_runtime.h>

#include <vector>

void filled(cudaArray_t array, int width, int height) {
  std::vector<float> h(width * height);
  float* d;
  cudaMalloc(&d, width * height * sizeof(float));
  const size_t row = width * sizeof(float);
  cudaMemset(d, 0, height * row);
  cudaMemcpy2DToArray(array, 0, 0, h.data(), row, row, height,  // LINT: copy-kind
                      cudaMemcpyDeviceToDevice);
  cudaMemcpy2DToArray(array, 0, 0, d, row, row, height,  // LINT: copy-kind
                      cudaMemcpyHostToDevice);
  cudaMemcpy2DFromArray(d, row, array, 0, 0, row, height,  // LINT: copy-kind
                        cudaMemcpyDeviceToHost);
  cudaFree(d);
}
