// The direction is that of the pointers, whatever they are called.

#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

float right(int n) {
  std::vector<float> d_result(n);
  float* h_values = nullptr;
  cudaMalloc(&h_values, n * sizeof(float));
  cudaMemset(h_values, 0, n * sizeof(float));
  cudaMemcpy(d_result.data(), h_values, n * sizeof(float), cudaMemcpyDeviceToHost);
  return d_result[0];
}

void offsets(const float* input, int n, int rank) {
  float* d = nullptr;
  cudaMalloc(&d, 4 * n * sizeof(float));
  cudaMemcpy(d + rank * n, input + rank * n, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, d + n, n * sizeof(float), cudaMemcpyDeviceToDevice);
}

// Where one of them points is not known.
void given(const float* from, float* to, int n) {
  float* h = new float[n];
  for (int i = 0; i < n; ++i) h[i] = from[i];
  cudaMemcpy(to, h, n * sizeof(float), cudaMemcpyHostToDevice);
}
