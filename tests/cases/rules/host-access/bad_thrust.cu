// Pointers into a vector on a device, followed by the host.

#include <cuda_runtime.h>
#include <thrust/device_vector.h>

#include <cstdio>
#include <cstring>

void written(int n) {
  thrust::device_vector<float> x(n, 1.0f);
  float* first = thrust::raw_pointer_cast(x.data());
  first[0] = 1;  // LINT: host-access
}

void read(thrust::device_vector<float>& x) {
  const float* first = thrust::raw_pointer_cast(&x[0]);
  printf("%f\n", *first);  // LINT: host-access
}

void copied(thrust::device_vector<float>& x, float* to) {
  memcpy(to, thrust::raw_pointer_cast(x.data()), x.size() * sizeof(float));  // LINT: host-access
}
