// A CUDA program that needs no C++ library: it sends the same twice.
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const size_t bytes = 1 << 20;
  float* weights = calloc(1, bytes);
  void* on_device = NULL;
  if (weights == NULL || cudaMalloc(&on_device, bytes) != cudaSuccess) return 3;
  for (int step = 0; step < 4; ++step)
    if (cudaMemcpy(on_device, weights, bytes, cudaMemcpyHostToDevice) != cudaSuccess) return 4;
  if (cudaMemcpy(weights, on_device, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) return 5;
  cudaFree(on_device);
  free(weights);
  printf("done\n");
  return 0;
}
