// The memory is given back once: the second call makes up for the first, which did not succeed.

#include <cuda_runtime.h>

void by_an_initialiser(float* p, cudaStream_t stream) {
  if (auto error = cudaFreeAsync(p, stream); error == cudaErrorNotSupported) {
    cudaStreamSynchronize(stream);
    cudaFree(p);
  }
}

void by_a_variable(float* p, cudaStream_t stream) {
  cudaError_t error;
  error = cudaFreeAsync(p, stream);
  if (error != cudaSuccess) error = cudaFree(p);
}

void by_the_call(float* p, cudaStream_t stream) {
  if (cudaFreeAsync(p, stream) == cudaSuccess) {
    cudaStreamSynchronize(stream);
  } else {
    cudaFree(p);
  }
}
