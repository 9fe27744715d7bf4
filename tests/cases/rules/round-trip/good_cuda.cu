// One of the sides did something.

#include <cuda_runtime.h>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

void there_and_back(float* d, float* h, int n) {
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, n>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void on_the_host(float* d, float* h, int n) {
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) h[i] = h[i] < 0 ? 0 : h[i];
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
}

void saved(float* d, float* saved, int n) {
  cudaMemcpy(saved, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  scale<<<1, n>>>(d, n);
  cudaMemcpy(d, saved, n * sizeof(float), cudaMemcpyHostToDevice);  // as it was before
}

// How fast the bus is.
float timed(float* d, float* h, int n, cudaEvent_t start, cudaEvent_t stop) {
  float there_and_back = 0;
  cudaEventRecord(start);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&there_and_back, start, stop);
  return there_and_back;
}

void timed_each(float* d, float* h, int n, cudaEvent_t start, cudaEvent_t middle,
                cudaEvent_t stop) {
  cudaEventRecord(start);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaEventRecord(middle);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaEventRecord(stop);
}
