// An element of a vector on a device is a stand-in, which copies what it stands for.

#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cstdio>
#include <vector>

void elements(int n) {
  thrust::device_vector<float> x(n, 1.0f);
  x[0] = 2;
  const float second = x[1];
  printf("%f %f %f\n", second, static_cast<float>(x.front()), static_cast<float>(x[2]));
}

void pointers(float* raw) {
  thrust::device_ptr<float> x = thrust::device_pointer_cast(raw);
  *x = 1;
  x[1] = 2;
  const float third = x[2];
  printf("%f\n", third);
}

void copied(const thrust::device_vector<float>& x, float* to) {
  std::vector<float> values(x.size());
  thrust::copy(x.begin(), x.end(), values.begin());
  cudaMemcpy(to, thrust::raw_pointer_cast(x.data()), x.size() * sizeof(float),
             cudaMemcpyDeviceToHost);
  const thrust::host_vector<float> host = x;
  printf("%f %f %f\n", values[0], to[0], host[0]);
}
