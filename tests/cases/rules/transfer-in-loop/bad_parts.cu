// Each time round the same part is copied, whatever names it.

#include <cuda_runtime.h>

#include <vector>

__global__ void step(const float* in, float* out, int n);

void named_in_the_loop(const std::vector<float>& host, float* out, int steps, int m) {
  float* d = nullptr;
  cudaMalloc(&d, host.size() * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    const int offset = 2 * m;
    const size_t bytes = m * sizeof(float);
    cudaMemcpy(d, host.data() + offset, bytes, cudaMemcpyHostToDevice);  // LINT: transfer-in-loop
    step<<<1, 32>>>(d, out, m);
  }
  cudaFree(d);
}

void by_a_pointer(int steps, int m, float* out) {
  float* host = new float[m];
  float* d = nullptr;
  cudaMalloc(&d, m * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    const float* all = host;
    cudaMemcpy(d, all, m * sizeof(float), cudaMemcpyHostToDevice);  // LINT: transfer-in-loop
    step<<<1, 32>>>(d, out, m);
  }
  cudaFree(d);
  delete[] host;
}

// A loop before it writes what is copied.
void filled_before(int steps, int m, float* out) {
  float* host = new float[m];
  float* d = nullptr;
  cudaMalloc(&d, m * sizeof(float));
  for (int i = 0; i < m; ++i) host[i] = static_cast<float>(i);
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy(d, host, m * sizeof(float), cudaMemcpyHostToDevice);  // LINT: transfer-in-loop
    step<<<1, 32>>>(d, out, m);
  }
  cudaFree(d);
  delete[] host;
}

// Of what a reference parameter names.
void by_reference(float*& host, int& m, int steps, float* out) {
  host = new float[m];
  float* d = nullptr;
  cudaMalloc(&d, m * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy(d, host, m * sizeof(float), cudaMemcpyHostToDevice);  // LINT: transfer-in-loop
    step<<<1, 32>>>(d, out, m);
  }
  cudaFree(d);
}
