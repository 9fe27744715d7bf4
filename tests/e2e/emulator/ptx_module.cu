// A second module of ptx_program, with a kernel and a variable of names that the first has too.

#include <cuda_runtime.h>

namespace {

__constant__ float weights[4] = {10, 20, 30, 40};
__global__ void scale(float* data) { data[threadIdx.x] *= weights[threadIdx.x % 4]; }

}  // namespace

int scale_of_other_module(float* data) {
  scale<<<1, 4>>>(data);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
