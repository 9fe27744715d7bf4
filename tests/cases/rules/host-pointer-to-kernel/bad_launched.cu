// Kernels that calls of the runtime start.

#include <cuda_runtime.h>

#include <cstdlib>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }
template <class T>
__global__ void add(const T* from, T* to, T value) {
  to[threadIdx.x] = from[threadIdx.x] + value;
}

void cooperative(int n) {
  float* h = (float*)std::malloc(n * sizeof(float));
  void* arguments[] = {&h, &n};
  cudaLaunchCooperativeKernel((void*)scale, dim3(1), dim3(n), arguments, 0, 0);  // LINT: host-pointer-to-kernel
}

void of_a_template(float* d, int n) {
  float* h = new float[n];
  float one = 1;
  void* arguments[] = {(void*)&h, (void*)&d, (void*)&one};
  cudaLaunchKernel((void*)add<float>, 1, n, arguments, 0, 0);  // LINT: host-pointer-to-kernel
  h = d;
  cudaLaunchKernel((void*)add<float>, 1, n, arguments, 0, 0);
}
