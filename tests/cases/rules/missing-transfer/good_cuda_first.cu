// Something may have set it when the kernel comes for the first time.

#include <cuda_runtime.h>

__global__ void grow(float* x, int n) { x[threadIdx.x % n] += 1; }
__global__ void set(float* x, int n) { x[threadIdx.x % n] = 1; }
__global__ void smooth(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x] / 2; }
__global__ void take(int* slot, int value, int* old) { *old = atomicExch(slot, value); }

struct Holder {
  float* data;
};
void fill(Holder& holder);

void the_first_time(const float* h, float* out, int n, int steps) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    if (step == 0) cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    grow<<<1, n>>>(d, n);
  }
  cudaMemcpy(out, d, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void by_another_name(float* out, int n, int steps) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  Holder holder;
  holder.data = d;
  fill(holder);
  for (int step = 0; step < steps; ++step) grow<<<1, n>>>(d, n);
  cudaMemcpy(out, d, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void ping_pong(float* out, int n, int steps) {
  float *a = nullptr, *b = nullptr;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  set<<<1, n>>>(a, n);
  for (int step = 0; step < steps; ++step) {
    smooth<<<1, n>>>(a, b);
    smooth<<<1, n>>>(b, a);
  }
  cudaMemcpy(out, a, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void in_an_inner_loop(const float* h, float* out, int n, int steps) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i)
      cudaMemcpy(d + i, h + i, sizeof(float), cudaMemcpyHostToDevice);
    grow<<<1, n>>>(d, n);
  }
  cudaMemcpy(out, d, n * sizeof(float), cudaMemcpyDeviceToHost);
}

/// Each thread waits for the one before it.
__global__ void chain(volatile int* slots, int n) {
  const int i = threadIdx.x;
  if (i > 0)
    while (slots[i - 1] == 0) {}
  slots[i] = n;
}

void by_threads(int* h, int n) {
  int* slots = nullptr;
  cudaMalloc(&slots, n * sizeof(int));
  chain<<<1, n>>>(slots, n);
  cudaMemcpy(h, slots, n * sizeof(int), cudaMemcpyDeviceToHost);
}
