// A function allocates, and it or another one fills what the kernel reads.

#include <cuda_runtime.h>

#include <vector>

__global__ void sum_from(const float* in, float* out, int n) {
  out[threadIdx.x] = in[threadIdx.x] + n;
}
__global__ void fill_with(float* data, int n) { data[threadIdx.x] = n; }

namespace {

float* device_room(int n) {
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  return data;
}
float* zeros(int n) {
  float* data = device_room(n);
  cudaMemset(data, 0, n * sizeof(float));
  return data;
}
float* copied(const std::vector<float>& from) {
  float* data = device_room(from.size());
  cudaMemcpy(data, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice);
  return data;
}
void send_to(float* to, const std::vector<float>& from) {
  cudaMemcpy(to, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice);
}
void fill_there(float* data, int n) { fill_with<<<1, 32>>>(data, n); }
float* managed_room(int n) {
  float* data;
  cudaMallocManaged(&data, n * sizeof(float));
  return data;
}

void filled(const std::vector<float>& values, float* out, int n, bool given) {
  sum_from<<<1, 32>>>(zeros(n), out, n);
  sum_from<<<1, 32>>>(copied(values), out, n);
  float* sent = device_room(n);
  send_to(sent, values);
  sum_from<<<1, 32>>>(sent, out, n);
  float* by_kernel = device_room(n);
  fill_there(by_kernel, n);
  sum_from<<<1, 32>>>(by_kernel, out, n);
  float* perhaps = device_room(n);
  if (given) send_to(perhaps, values);
  sum_from<<<1, 32>>>(perhaps, out, n);
  float* managed = managed_room(n);
  managed[0] = 1;
  sum_from<<<1, 32>>>(managed, out, n);
}

}  // namespace
