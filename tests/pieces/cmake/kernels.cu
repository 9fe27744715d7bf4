#include <cuda_runtime.h>

#if !defined(IN_CUDA) || !defined(__CUDACC__)
#error "a flag of nvcc's files is missing"
#endif

__global__ void twice(float* values) { values[threadIdx.x] *= 2; }

void run() {
  float* values = new float[8]();
  twice<<<1, 8>>>(values);  // LINT: host-pointer-to-kernel
  delete[] values;
}
