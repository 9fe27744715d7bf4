// Copies from and to Thrust's vectors, the wrong way.

#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

void to_a_device(const float* host, int n) {
  thrust::device_vector<float> x(n);
  cudaMemcpy(thrust::raw_pointer_cast(x.data()), host, n * sizeof(float),  // LINT: copy-kind
             cudaMemcpyDeviceToHost);
}

void to_the_host(const float* device, int n) {
  thrust::host_vector<float> x(n);
  cudaMemcpy(x.data(), device, n * sizeof(float), cudaMemcpyHostToDevice);  // LINT: copy-kind
}
