// Pointers to different memory in different places, or passed to code that is not here.

#include <cuda_runtime.h>

#include <cstdlib>

struct Matrix {
  int n;
  float* data;
};

void fill(Matrix& matrix);
void store(float** p);

void multiply(const Matrix a, Matrix c) {
  Matrix on_device;
  on_device.n = a.n;
  cudaMalloc(&on_device.data, a.n * sizeof(float));
  cudaMemcpy(on_device.data, a.data, a.n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c.data, on_device.data, a.n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(on_device.data);
}

void of_an_array(int n) {
  Matrix* all = new Matrix[2];
  for (int i = 0; i < 2; ++i) {
    all[i].n = n;
    all[i].data = new float[n];
  }
  multiply(all[0], all[1]);
}

float* either;
float* outside;
void choose(bool device, int n) {
  if (device)
    cudaMalloc(&either, n * sizeof(float));
  else
    either = (float*)malloc(n * sizeof(float));
  store(&outside);
}
void of_globals(float* d, int n) {
  cudaMemcpy(d, either, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, outside, n * sizeof(float), cudaMemcpyHostToDevice);
}

__managed__ float* managed;
static float* pinned;
void pin(int n) {
  cudaMallocHost(&pinned, n * sizeof(float));
  cudaMallocManaged(&managed, n * sizeof(float));
}
void of_both(float* d, int n) {
  cudaMemcpy(d, pinned, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaMemcpy(d, managed, n * sizeof(float), cudaMemcpyHostToDevice);
}

void of_two_kinds(float* h, int n) {
  float* both[2];
  cudaMalloc(&both[0], n * sizeof(float));
  both[1] = new float[n];
  cudaMemcpy(both[1], both[0], n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 2; ++i) cudaMemcpy(h, both[i], n * sizeof(float), cudaMemcpyDefault);
}

/// The caller says which way.
void move(float* to, const float* from, int n, bool up) {
  if (up)
    cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice);
  else
    cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyDeviceToHost);
}

void upload(int n) {
  float* d = nullptr;
  float* h = new float[n];
  cudaMalloc(&d, n * sizeof(float));
  move(d, h, n, true);
}

int main() {
  choose(true, 3);
  upload(3);
  pin(3);
}
