#pragma once
// Kernels of the test program: nvcc compiles them for the device, and host_kernels.cc the same text
// for the emulator.

#include <xfer/emulator/host_kernel.h>

namespace program {

struct Vectors {
  const float* a;
  const float* b;
  float* sum;
};

__global__ void add(Vectors v, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) v.sum[i] = v.a[i] + v.b[i];
}

template <typename T>
__global__ void scale(T* data, T factor, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] *= factor;
}

__global__ void copy(const float* from, float* to, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = from[i];
}

// The pointer is in device memory, where nobody but the kernel sees it.
__global__ void follow(float* const* pointer) { **pointer = 1.0f; }

}  // namespace program
