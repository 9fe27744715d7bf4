// One turn of a loop reads too early: the first, or each that follows another.
#include <cuda_runtime.h>

void wait_for_all();
__global__ void step(float* x) { x[threadIdx.x] += 1; }

float in_the_first(const float* x, int n, cudaStream_t stream) {
  float* out;
  cudaMallocHost(&out, n * sizeof(float));
  cudaMemcpyAsync(out, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += out[i];  // LINT: read-before-sync
    wait_for_all();
  }
  return sum;
}

float in_the_next(float* x, int n, cudaStream_t stream) {
  float* out;
  cudaMallocHost(&out, n * sizeof(float));
  cudaMemcpy(out, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += out[0];  // LINT: read-before-sync
    step<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(out, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  }
  cudaStreamSynchronize(stream);
  return sum;
}
