// Has the CUDA runtime linked in, as nvcc links it unless it is told otherwise. Takes the way from
// constructors to launches through it.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ int factor = 3;

__global__ void scale(int* values) { values[threadIdx.x] *= factor; }

extern "C" int scaled_sum() {
  std::vector<int> values(32, 2);
  const std::size_t bytes = values.size() * sizeof(int);
  int* device = nullptr;
  cudaMalloc(&device, bytes);
  cudaMemcpy(device, values.data(), bytes, cudaMemcpyHostToDevice);
  scale<<<1, 32>>>(device);
  cudaMemcpy(values.data(), device, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device);
  int sum = 0;
  for (const int value : values) sum += value;
  std::printf("sum %d, %s\n", sum, cudaGetErrorString(cudaGetLastError()));
  return sum;
}
