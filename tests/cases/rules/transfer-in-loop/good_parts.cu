// Each time round another part is copied, whatever names it.

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

__global__ void step(const float* in, float* out, int n);

void in_chunks(const std::vector<float>& host, float* out, int chunks, int m) {
  float* d = nullptr;
  cudaMalloc(&d, host.size() * sizeof(float));
  for (int i = 0; i < chunks; ++i) {
    const int offset = i * m;
    cudaMemcpy(d + offset, host.data() + offset, m * sizeof(float), cudaMemcpyHostToDevice);
    step<<<1, 32>>>(d + offset, out, m);
  }
  cudaFree(d);
}

void by_a_pointer(const std::vector<float>& host, float* out, int chunks, int m) {
  float* d = nullptr;
  cudaMalloc(&d, m * sizeof(float));
  for (int i = 0; i < chunks; ++i) {
    const float* part = &host[i * m];
    cudaMemcpy(d, part, m * sizeof(float), cudaMemcpyHostToDevice);
    step<<<1, 32>>>(d, out, m);
  }
  cudaFree(d);
}

void walking(int chunks, int m, float* out) {
  float* host = new float[chunks * m];
  float* d = nullptr;
  cudaMalloc(&d, m * sizeof(float));
  float* at = host;
  for (int i = 0; i < chunks; ++i, at += m) {
    cudaMemcpy(d, at, m * sizeof(float), cudaMemcpyHostToDevice);
    step<<<1, 32>>>(d, out, m);
  }
  cudaFree(d);
  delete[] host;
}

void the_rest(const std::vector<float>& host, float* out, size_t most) {
  float* d = nullptr;
  cudaMalloc(&d, host.size() * sizeof(float));
  size_t left = host.size();
  while (left > 0) {
    const size_t now = std::min(left, most);
    cudaMemcpy(d, host.data(), now * sizeof(float), cudaMemcpyHostToDevice);
    step<<<1, 32>>>(d, out, static_cast<int>(now));
    left -= now;
  }
  cudaFree(d);
}

void next_part(int& m);
void by_reference(float*& host, int& m, int steps, float* out) {
  float* d = nullptr;
  cudaMalloc(&d, 1024);
  for (int i = 0; i < steps; ++i) {
    next_part(m);
    cudaMemcpy(d, host, m * sizeof(float), cudaMemcpyHostToDevice);
    step<<<1, 32>>>(d, out, m);
  }
  cudaFree(d);
}
