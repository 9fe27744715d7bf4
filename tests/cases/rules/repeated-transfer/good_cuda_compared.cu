// The copies are part of what is timed, twice, to be compared.

#include <cuda_runtime.h>

__global__ void add_all(const float* in, float* out);

float compare(const float* h, float* d, float* out, cudaStream_t stream) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  add_all<<<1, 32>>>(d, out);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float first = 0, second = 0;
  cudaEventElapsedTime(&first, start, stop);
  cudaEventRecord(start, stream);
  cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, stream);
  add_all<<<1, 32, 0, stream>>>(d, out);
  cudaEventRecord(stop, stream);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&second, start, stop);
  return first - second;
}
