// Managed memory that neither the host nor a kernel has filled.

#include <cuda_runtime.h>

#include <cstdio>

template <class T>
T* managed(int n) {
  T* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(T));
  return p;
}

__global__ void scale(const double* factors, double* y) { y[threadIdx.x] *= factors[threadIdx.x]; }

void directly(int n) {
  double *factors = nullptr, *y = nullptr;
  cudaMallocManaged(&factors, n * sizeof(double));
  cudaMallocManaged(&y, n * sizeof(double));
  for (int i = 0; i < n; ++i) y[i] = 1;
  scale<<<1, n>>>(factors, y);  // LINT: missing-transfer
  cudaDeviceSynchronize();
  std::printf("%f\n", y[0]);
  cudaFree(factors);
  cudaFree(y);
}

void by_a_helper(int n) {
  double* factors = managed<double>(n);
  double* y = managed<double>(n);
  for (int i = 0; i < n; ++i) factors[i] = 1;
  scale<<<1, n>>>(factors, y);  // LINT: missing-transfer
  cudaDeviceSynchronize();
  std::printf("%f\n", y[0]);
  cudaFree(factors);
  cudaFree(y);
}
