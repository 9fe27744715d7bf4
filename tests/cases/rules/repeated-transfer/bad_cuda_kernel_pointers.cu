// Kernels that are launched by the name of a variable: all that it may hold leave the memory alone.
#include <cuda_runtime.h>

__global__ void copied(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void doubled(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

void chosen(const float* h, float* d, float* out, bool twice) {
  auto kernel = twice ? doubled : copied;
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);  // NOTE: repeated-transfer
  kernel<<<1, 32>>>(d, out);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  kernel<<<1, 32>>>(d, out);
}

void of_a_table(const float* h, float* d, float* out, int which) {
  void (*kernels[])(const float*, float*) = {copied, doubled};
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);  // NOTE: repeated-transfer
  kernels[which]<<<1, 32>>>(d, out);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  kernels[which]<<<1, 32>>>(d, out);
}

void by_a_call(const float* h, float* d, float* out) {
  void* arguments[] = {&d, &out};
  auto kernel = copied;
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);  // NOTE: repeated-transfer
  cudaLaunchKernel(reinterpret_cast<const void*>(kernel), 1, 32, arguments, 0, nullptr);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  cudaLaunchKernel(reinterpret_cast<const void*>(kernel), 1, 32, arguments, 0, nullptr);
}
