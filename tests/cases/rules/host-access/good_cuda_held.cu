// The host follows the pointers of its own objects, and pointers to pointers.

#include <cuda_runtime.h>

#include <cstdio>

struct Matrix {
  int n;
  float* data;
};

void print(const Matrix& matrix) {
  for (int i = 0; i < matrix.n; ++i) std::printf("%f\n", matrix.data[i]);
}

void copy_back(const Matrix& on_device) {
  Matrix here{on_device.n, new float[on_device.n]};
  cudaMemcpy(here.data, on_device.data, here.n * sizeof(float), cudaMemcpyDeviceToHost);
  print(here);
  delete[] here.data;
}

void run(int n) {
  Matrix on_device;
  on_device.n = n;
  cudaMalloc(&on_device.data, n * sizeof(float));
  copy_back(on_device);
  cudaFree(on_device.data);
}

__global__ void step(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x] + 1; }

/// Reads which memory it is, not the memory.
int last_of(float* buffers[2], int steps) {
  int from = 0;
  for (int i = 0; i < steps; ++i) {
    step<<<1, 32>>>(buffers[from], buffers[1 - from]);
    from = 1 - from;
  }
  return from;
}

void ping_pong(float* h, int n, int steps) {
  float* buffers[2];
  cudaMalloc(&buffers[0], n * sizeof(float));
  cudaMalloc(&buffers[1], n * sizeof(float));
  cudaMemset(buffers[0], 0, n * sizeof(float));
  const int last = last_of(buffers, steps);
  cudaMemcpy(h, buffers[last], n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%p\n", static_cast<void*>(buffers[1]));
}

/// A caller that passes device memory says so.
void add_one(float* x, int n, bool device) {
  if (device)
    step<<<1, 32>>>(x, x);
  else
    for (int i = 0; i < n; ++i) x[i] += 1;
}

static float* state;
void start(int n) { cudaMalloc(&state, n * sizeof(float)); }
void advance(int n) { add_one(state, n, true); }

int main() {
  start(3);
  advance(3);
}
