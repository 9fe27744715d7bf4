// Copies to and from arrays of a device, whose other side is where they say, or may be.
#include <cuda_runtime.h>

#include <vector>

float there_and_back(cudaArray_t array, int width, int height) {
  std::vector<float> h(width * height);
  const size_t row = width * sizeof(float);
  cudaMemcpy2DToArray(array, 0, 0, h.data(), row, row, height, cudaMemcpyHostToDevice);
  cudaMemcpy2DFromArray(h.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost);
  return h[0];
}

void on_the_device(cudaArray_t array, int width, int height) {
  float* d;
  const size_t row = width * sizeof(float);
  cudaMalloc(&d, height * row);
  cudaMemset(d, 0, height * row);
  cudaMemcpy2DToArray(array, 0, 0, d, row, row, height, cudaMemcpyDeviceToDevice);
  cudaFree(d);
}

void of_the_caller(cudaArray_t array, const float* x, int width, int height) {
  const size_t row = width * sizeof(float);
  cudaMemcpy2DToArray(array, 0, 0, x, row, row, height, cudaMemcpyHostToDevice);
}
