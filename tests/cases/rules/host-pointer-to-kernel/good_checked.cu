// Code that runs only if a call failed, or under another condition, is not for every caller.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

// Memory that cannot be mapped is copied first.
void mapped_or_copied(float* x, float* y, unsigned n) {
  float* there = nullptr;
  if (cudaHostRegister(x, n * sizeof(float), cudaHostRegisterMapped) != cudaSuccess) {
    cudaGetLastError();
    cudaMalloc(&there, n * sizeof(float));
    cudaMemcpy(there, x, n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<1, n>>>(there, y);
    cudaFree(there);
    return;
  }
  twice<<<1, n>>>(x, y);
  cudaDeviceSynchronize();
  cudaHostUnregister(x);
}

// The other way round: if the pointer is one of the host, the copy is made.
void wherever(const float* x, float* y, unsigned n, bool on_host) {
  float* there = nullptr;
  if (on_host) {
    if (cudaMalloc(&there, n * sizeof(float)) != cudaSuccess) return;
    cudaMemcpy(there, x, n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<1, n>>>(there, y);
    cudaFree(there);
  } else {
    twice<<<1, n>>>(x, y);
  }
}

// By the answer it is known where the memory is.
void asked(const float* x, float* y, unsigned n) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, x) == cudaSuccess) {
    twice<<<1, n>>>(x, y);
    return;
  }
  float* there = nullptr;
  cudaMalloc(&there, n * sizeof(float));
  cudaMemcpy(there, x, n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<1, n>>>(there, y);
  cudaFree(there);
}

// Without a device the host computes; `y` is where the caller has it then.
void anywhere(const float* x, float* y, unsigned n) {
  void* room = nullptr;
  if (cudaMalloc(&room, n) != cudaSuccess) {
    for (unsigned i = 0; i < n; ++i) y[i] = 2 * x[i];
    return;
  }
  cudaFree(room);
}

int main() {
  float x[] = {1, 2, 3};
  float* y = nullptr;
  float* z = nullptr;
  cudaMalloc(&y, sizeof x);
  cudaMalloc(&z, sizeof x);
  mapped_or_copied(x, y, 3);
  wherever(x, y, 3, true);
  anywhere(z, y, 3);
  asked(x, y, 3);
  cudaMemcpy(x, y, sizeof x, cudaMemcpyDeviceToHost);
  std::printf("%f\n", x[0]);
  cudaFree(y);
  cudaFree(z);
}
