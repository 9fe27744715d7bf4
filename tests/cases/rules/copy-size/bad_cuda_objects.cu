#include <cuda_runtime.h>

#include <cstdio>

void two_of_one(const float* sums) {
  float sum = 0;
  cudaMemcpy(&sum, sums, 2 * sizeof(float), cudaMemcpyDeviceToHost);  // LINT: copy-size
  std::printf("%f\n", sum);
}
