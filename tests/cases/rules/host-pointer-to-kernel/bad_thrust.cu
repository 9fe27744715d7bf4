// Thrust's vectors on the host, given to kernels.

#include <cuda_runtime.h>
#include <thrust/host_vector.h>

__global__ void scale(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] *= 2;
}

void by_data(int n) {
  thrust::host_vector<float> host(n, 1.0f);
  scale<<<1, 64>>>(thrust::raw_pointer_cast(host.data()), n);  // LINT: host-pointer-to-kernel
}

void by_the_first_element(int n) {
  thrust::host_vector<float> host(n, 1.0f);
  scale<<<1, 64>>>(thrust::raw_pointer_cast(&host[0]), n);  // LINT: host-pointer-to-kernel
}

class Field {
 public:
  void run(int n) {
    scale<<<1, 64>>>(host_.data(), n);  // LINT: host-pointer-to-kernel
  }

 private:
  thrust::host_vector<float> host_;
};
void of_a_class(int n) { Field().run(n); }
