// A program that has managed memory may give it to a function that copies it, too.
#include <cuda_runtime.h>

float first_of(float* x, const float* h, int n) {
  cudaMemcpy(x, h, n * sizeof(float), cudaMemcpyHostToDevice);
  return x[0];
}
