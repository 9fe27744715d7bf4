#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__constant__ float weights[16];
__device__ int counter;

void rows_with_gaps(const float* image, size_t pitch, int w, int h) {
  std::vector<float> out(w * h);
  cudaMemcpy2D(out.data(), w * sizeof(float), image, pitch, w * sizeof(float), h,
               cudaMemcpyDeviceToHost);
  std::printf("%f\n", out[0]);
}

void half_of_the_rows(float* image, size_t pitch, const std::vector<float>& from, int w, int h) {
  cudaMemcpy2D(image, pitch, from.data(), w * sizeof(float), w * sizeof(float), h / 2,
               cudaMemcpyHostToDevice);
}

void of_bytes(unsigned char* image, size_t pitch, int w, int h) {
  std::vector<unsigned char> from(w * h);
  cudaMemcpy2D(image, pitch, from.data(), w, w, h, cudaMemcpyHostToDevice);
}

void all_of_the_symbol(const float* from) {
  cudaMemcpyToSymbol(weights, from, sizeof(weights));
  cudaMemcpyToSymbol(weights, from + 16, 16 * sizeof(float));
}

void the_rest_of_the_symbol(const float* from) {
  cudaMemcpyToSymbol(weights, from, 12 * sizeof(float), 4 * sizeof(float));
}

void one_number() {
  int count = 0;
  cudaMemcpyToSymbol(counter, &count, sizeof(int));
  cudaMemcpyFromSymbol(&count, counter, sizeof(int));
  std::printf("%d\n", count);
}
