// The host follows pointers of cudaMalloc.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

struct Particle {
  float x, y;
};

float sum(const float* values, int n) {
  float total = 0;
  for (int i = 0; i < n; ++i) total += values[i];
  return total;
}

void followed(int n, float* h) {
  float* d = nullptr;
  Particle* particles = nullptr;
  cudaMalloc(&d, n * sizeof(float));  // NOTE: host-access
  cudaMalloc(&particles, n * sizeof(Particle));
  d[0] = 1;                             // LINT: host-access
  std::printf("%f\n", particles[1].x);  // LINT: host-access
}

void by_others(int n, float* h) {
  float *a = nullptr, *b = nullptr;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  std::memcpy(h, a, n * sizeof(float));  // LINT: host-access
  std::printf("%f\n", sum(b, n));        // LINT: host-access
}
