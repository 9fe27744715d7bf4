// Copies that are looked at, timed, handed on or kept.

#include <cuda_runtime.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>

void look(const float*);

void looked_at(const float* d, int n) {
  float* seen = static_cast<float*>(std::malloc(n * sizeof(float)));
  cudaMemcpy(seen, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  look(seen);
  std::free(seen);
}

void timed(int n, const float* h, cudaEvent_t event) {
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  cudaEventRecord(event);
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaFree(a);
}

float* handed_on(int n, const float* h) {
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  return a;
}

struct Net {
  float* weights;
  void load(const float* h, int n) {
    cudaMalloc(&weights, n);
    cudaMemcpy(weights, h, n, cudaMemcpyHostToDevice);
  }
};

void CUDART_CB take_time(cudaStream_t, cudaError_t, void* at) {
  clock_gettime(CLOCK_REALTIME, static_cast<timespec*>(at));
}
void timed_by_callbacks(int n, cudaStream_t stream) {
  float *h = nullptr, *d = nullptr;
  cudaMallocHost(&h, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < n; ++i) h[i] = i;
  timespec from, to;
  cudaStreamAddCallback(stream, take_time, &from, 0);
  cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  cudaStreamAddCallback(stream, take_time, &to, 0);
  cudaStreamSynchronize(stream);
  printf("%ld\n", to.tv_nsec - from.tv_nsec);
  cudaFreeHost(h);
  cudaFree(d);
}
