// A function allocates; nobody fills it.

#include <cuda_runtime.h>

#include <vector>

__global__ void sum_of(const float* in, float* out, int n) {
  out[threadIdx.x] = in[threadIdx.x] + n;
}

namespace {

template <class T>
T* device_array(std::size_t n) {
  T* data = nullptr;
  cudaMalloc(&data, n * sizeof(T));
  return data;
}
int device_array(float** to, int n) { return cudaMalloc(to, n * sizeof(float)); }

void by_result(std::vector<float>& result, int n) {
  float* in = device_array<float>(n);
  float* out = device_array<float>(n);
  sum_of<<<1, 32>>>(in, out, n);  // LINT: missing-transfer
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void by_out_parameter(std::vector<float>& result, int n) {
  float *in, *out;
  if (device_array(&in, n) != 0 || device_array(&out, n) != 0) return;
  sum_of<<<1, 32>>>(in, out, n);  // LINT: missing-transfer
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
}

}  // namespace
