#include <cuda_runtime.h>

void let_each_other_in() {
  cudaSetDevice(0);
  cudaDeviceEnablePeerAccess(1, 0);
}
