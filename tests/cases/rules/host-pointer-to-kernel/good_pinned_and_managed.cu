// Memory of the host that devices may follow.

#include <cuda_runtime.h>

#include <cstdlib>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

void pinned(int n) {
  float *mapped = nullptr, *managed = nullptr;
  cudaHostAlloc(&mapped, n * sizeof(float), cudaHostAllocMapped);
  cudaMallocManaged(&managed, n * sizeof(float));
  cudaMemset(managed, 0, n * sizeof(float));
  scale<<<1, n>>>(mapped, n);
  scale<<<1, n>>>(managed, n);
  float* registered = static_cast<float*>(std::malloc(n * sizeof(float)));
  cudaHostRegister(registered, n * sizeof(float), cudaHostRegisterMapped);
  scale<<<1, n>>>(registered, n);
  cudaDeviceSynchronize();
  cudaHostUnregister(registered);
}
