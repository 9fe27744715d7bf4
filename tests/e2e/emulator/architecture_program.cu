// Says which architecture its kernel is for: as the runtime tells it, and as the kernel was
// compiled. Libraries of headers choose a kernel's sizes by both (CUB).

#include <cuda_runtime.h>

#include <cstdio>

__global__ void tell(int* architecture) {
#ifdef __CUDA_ARCH__
  *architecture = __CUDA_ARCH__ / 10;
#endif
}

int main() {
  int compiled = 0;
  int* device = nullptr;
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaFuncGetAttributes(&attributes, tell);
  cudaMalloc(&device, sizeof(int));
  cudaMemset(device, 0, sizeof(int));
  tell<<<1, 1>>>(device);
  cudaMemcpy(&compiled, device, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s: %d, compiled for %d\n", cudaGetErrorName(status), attributes.ptxVersion,
              compiled);
  return 0;
}
