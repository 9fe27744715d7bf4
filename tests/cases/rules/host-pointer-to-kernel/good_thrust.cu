// Thrust's vectors on a device, wherever they stand themselves.

#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

__global__ void scale(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] *= 2;
}

void of_a_local(int n) {
  thrust::device_vector<float> x(n, 1.0f);
  scale<<<1, 64>>>(thrust::raw_pointer_cast(x.data()), n);
  scale<<<1, 64>>>(thrust::raw_pointer_cast(&x[0]), n);
  scale<<<1, 64>>>(x.data().get(), n);
}

void by_reference(thrust::device_vector<float>& x, const thrust::host_vector<float>& host) {
  x = host;
  scale<<<1, 64>>>(thrust::raw_pointer_cast(x.data()), x.size());
}

class Field {
 public:
  explicit Field(int n) : x_(n) {}
  void run() { scale<<<1, 64>>>(thrust::raw_pointer_cast(x_.data()), x_.size()); }

 private:
  thrust::device_vector<float> x_;
};
void of_a_class(int n) { Field(n).run(); }

void behind_a_pointer(int n) {
  auto* x = new thrust::device_vector<float>(n);
  scale<<<1, 64>>>(thrust::raw_pointer_cast(x->data()), n);
  delete x;
}

void of_raw_memory(int n) {
  float* raw = nullptr;
  cudaMalloc(&raw, n * sizeof(float));
  thrust::device_ptr<float> x(raw);
  x[0] = 1;
  scale<<<1, 64>>>(thrust::raw_pointer_cast(x), n);
  cudaFree(raw);
}
