// Thrust's algorithms and methods write to a vector between the copies.

#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/sequence.h>

#include <cstdio>

void show(float* host, const float* x, int n) {
  cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", host[0]);
}

void by_algorithms(float* host, int n) {
  thrust::device_vector<float> x(n);
  show(host, thrust::raw_pointer_cast(x.data()), n);
  thrust::fill(x.begin(), x.end(), 1.0f);
  show(host, thrust::raw_pointer_cast(x.data()), n);
  thrust::sequence(x.begin(), x.end());
  show(host, thrust::raw_pointer_cast(x.data()), n);
}

void by_methods(float* host, int n) {
  thrust::device_vector<float> x(n);
  show(host, thrust::raw_pointer_cast(x.data()), n);
  x.assign(n, 2.0f);
  show(host, thrust::raw_pointer_cast(x.data()), n);
  x[0] = 3;
  show(host, thrust::raw_pointer_cast(x.data()), n);
}
