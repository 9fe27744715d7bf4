// Each turn of a loop waits before it reads.
#include <cuda_runtime.h>

__global__ void step(float* x) { x[threadIdx.x] += 1; }

float at_its_start(float* x, int n, cudaStream_t stream) {
  float* out;
  cudaMallocHost(&out, n * sizeof(float));
  cudaMemcpyAsync(out, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    cudaStreamSynchronize(stream);
    sum += out[0];
    step<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(out, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  }
  return sum;
}

float at_its_end(float* x, int n, cudaStream_t stream) {
  float* out;
  cudaMallocHost(&out, n * sizeof(float));
  cudaMemcpy(out, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += out[0];
    step<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(out, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
  }
  return sum;
}

// The two buffers take turns: what is read is what the turn before waited for.
float by_turns(float* x, int n, cudaStream_t stream) {
  float* out[2];
  cudaMallocHost(&out[0], n * sizeof(float));
  cudaMallocHost(&out[1], n * sizeof(float));
  cudaEvent_t copied[2];
  cudaEventCreate(&copied[0]);
  cudaEventCreate(&copied[1]);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(out[i % 2], x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(copied[i % 2], stream);
    if (i > 0) {
      cudaEventSynchronize(copied[(i - 1) % 2]);
      sum += out[(i - 1) % 2][0];
    }
  }
  return sum;
}

// The first turn reads nothing.
float behind_the_first(float* x, int n, cudaStream_t stream) {
  float* out;
  cudaMallocHost(&out, n * sizeof(float));
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i > 0) {
      cudaStreamSynchronize(stream);
      sum += out[0];
    }
    step<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(out, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  }
  return sum;
}
