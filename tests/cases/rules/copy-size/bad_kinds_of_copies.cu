#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__constant__ float weights[16];
__device__ int counter;

void width_in_elements(const float* image, size_t pitch, int w, int h) {
  std::vector<float> out(w * h);
  cudaMemcpy2D(out.data(), w * sizeof(float), image, pitch, w, h,  // LINT: copy-size
               cudaMemcpyDeviceToHost);
  std::printf("%f\n", out[0]);
}

void too_many_rows(float* image, size_t pitch, int w, int h) {
  std::vector<float> from(w * h);
  cudaMemcpy2D(image, pitch, from.data(), w * sizeof(float), w * sizeof(float),  // LINT: copy-size
               2 * h, cudaMemcpyHostToDevice);
}

void too_many_for_the_symbol(const float* from) {
  cudaMemcpyToSymbol(weights, from, 32 * sizeof(float));  // LINT: copy-size
}

void behind_the_end(const float* from) {
  cudaMemcpyToSymbol(weights, from, 16 * sizeof(float), 4 * sizeof(float));  // LINT: copy-size
}

void from_a_number(int* to) {
  cudaMemcpyFromSymbol(to, counter, 2 * sizeof(int));  // LINT: copy-size
}
