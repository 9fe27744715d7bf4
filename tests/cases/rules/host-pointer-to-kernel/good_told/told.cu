// Copies say of which side memory is, and kernels are given what they may follow.
#include <cuda_runtime.h>

__global__ void scaled(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

void as_told(const float* input, float* x, float* y, int n) {
  cudaMemcpy(x, input, n * sizeof(float), cudaMemcpyHostToDevice);
  scaled<<<1, 32>>>(x, y);
}

// Staged only where it has to be.
void either(const float* input, float* y, int n, bool staged) {
  const float* x = input;
  float* copy = nullptr;
  if (staged) {
    cudaMalloc(&copy, n * sizeof(float));
    cudaMemcpy(copy, input, n * sizeof(float), cudaMemcpyHostToDevice);
    x = copy;
  }
  scaled<<<1, 32>>>(x, y);
  if (staged) cudaFree(copy);
}

void another_branch(const float* input, float* x, float* y, int n, bool on_device) {
  if (on_device) {
    scaled<<<1, 32>>>(input, y);
  } else {
    cudaMemcpy(x, input, n * sizeof(float), cudaMemcpyHostToDevice);
    scaled<<<1, 32>>>(x, y);
  }
}

void from_device_to_device(const float* input, float* x, float* y, int n) {
  cudaMemcpy(x, input, n * sizeof(float), cudaMemcpyDeviceToDevice);
  scaled<<<1, 32>>>(input, y);
}
