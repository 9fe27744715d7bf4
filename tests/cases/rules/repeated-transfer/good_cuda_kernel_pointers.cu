// Kernels that are launched by the name of a variable: some that it may hold write.
#include <cuda_runtime.h>

__global__ void shifted(float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void swapped(float* x, float* y) {
  const float kept = x[threadIdx.x];
  x[threadIdx.x] = y[threadIdx.x];
  y[threadIdx.x] = kept;
}
using Kernel = void (*)(float*, float*);

void chosen(const float* h, float* d, float* out, bool swap) {
  Kernel kernel = shifted;
  if (swap) kernel = swapped;
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(d, out);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(d, out);
}

void of_a_table(const float* h, float* d, float* out, int which) {
  Kernel kernels[] = {shifted, swapped};
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  kernels[which]<<<1, 32>>>(d, out);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  kernels[which]<<<1, 32>>>(d, out);
}

void of_the_caller(const float* h, float* d, float* out, Kernel kernel) {
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(d, out);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(d, out);
}

void choose(Kernel* kernel);

void put_there_by_others(const float* h, float* d, float* out) {
  Kernel kernel = shifted;
  choose(&kernel);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(d, out);
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(d, out);
}
