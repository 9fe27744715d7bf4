// Loops that a pragma sends to a device, where pointers to device memory belong.

#include <cuda_runtime.h>

void by_openacc(float* out, int n) {
  float *a = nullptr, *b = nullptr;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
#pragma acc parallel loop deviceptr(a, b)
  for (int i = 0; i < n; ++i) b[i] = 2 * a[i];
  cudaMemcpy(out, b, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void by_openmp(float* out, int n) {
  float* a = nullptr;
  cudaMalloc(&a, n * sizeof(float));
#pragma omp target teams distribute parallel for is_device_ptr(a)
  for (int i = 0; i < n; ++i) a[i] = 1;
  cudaMemcpy(out, a, n * sizeof(float), cudaMemcpyDeviceToHost);
}
