// HIP's two ways to launch a kernel.

#include <hip/hip_runtime.h>

#include <vector>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

void launched(std::vector<float>& h, int n) {
  scale<<<1, n>>>(h.data(), n);                                  // LINT: host-pointer-to-kernel
  hipLaunchKernelGGL(scale, dim3(1), dim3(n), 0, 0, h.data(), n);  // LINT: host-pointer-to-kernel
}
