#include <cuda_runtime.h>

void let_each_other_in();

__global__ void scale(float* x) { x[threadIdx.x] *= 2; }

int main() {
  let_each_other_in();
  float* on_second;
  cudaSetDevice(1);
  cudaMalloc(&on_second, 128);
  cudaMemset(on_second, 0, 128);
  cudaSetDevice(0);
  scale<<<1, 32>>>(on_second);  // over the bus
  return cudaDeviceSynchronize();
}
