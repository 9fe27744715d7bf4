// Freed by a function, perhaps; or by now another pointer.

#include <cuda_runtime.h>

__global__ void touch_again(float* data, int n) { data[threadIdx.x] = n; }

namespace {

void dispose(float* data) { cudaFree(data); }
void dispose_of(float** data) {
  cudaFree(*data);
  *data = nullptr;
}
void dispose_if(float* data, bool unused) {
  if (unused) cudaFree(data);
}
void renew(float** data, int n) {
  cudaFree(*data);
  cudaMalloc(data, n * sizeof(float));
}

void allocated_again(int n) {
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  dispose(data);
  cudaMalloc(&data, n * sizeof(float));
  touch_again<<<1, 32>>>(data, n);
  renew(&data, 2 * n);
  touch_again<<<1, 32>>>(data, n);
  dispose_of(&data);
  cudaFree(data);
}

void perhaps(int n, bool unused) {
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  dispose_if(data, unused);
  touch_again<<<1, 32>>>(data, n);
}

void on_the_way_out(int n, bool failed) {
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  if (failed) {
    dispose(data);
    return;
  }
  touch_again<<<1, 32>>>(data, n);
}

}  // namespace
