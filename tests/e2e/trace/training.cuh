#pragma once
// A step of a training loop whose emulation takes time: nvcc compiles it for the device, and
// host_kernels.cc for the emulator.

#include <xfer/emulator/host_kernel.h>

namespace training {

__global__ void step(float* weights, float* loss, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  weights[i] = weights[i] * 0.5F + 1;
  if (i == 0) *loss = weights[0];
}

}  // namespace training
