// Kernels that are given ordinary memory of the host.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                     \
  do {                                                  \
    const cudaError_t error = (call);                   \
    if (error != cudaSuccess) {                         \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(error)); \
      std::exit(1);                                     \
    }                                                   \
  } while (0)

__global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

struct Settings {
  float factor;
};

__global__ void configure(const Settings* settings, float* x) { x[0] *= settings->factor; }

float forgot_the_copy(int n) {
  std::vector<float> h(n, 1.0f);  // NOTE: host-pointer-to-kernel
  float* d = nullptr;
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  CHECK(cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  scale<<<(n + 255) / 256, 256>>>(h.data(), n);  // LINT: host-pointer-to-kernel
  CHECK(cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  return h[0];
}

void on_the_stack(float* d) {
  Settings settings{2.0f};
  configure<<<1, 1>>>(&settings, d);  // LINT: host-pointer-to-kernel
}

template <class T>
void launch(T* values, int n) {
  scale<<<1, n>>>(values, n);
}

void through_a_helper(int n) {
  float* h = static_cast<float*>(std::malloc(n * sizeof(float)));
  launch(h, n);              // LINT: host-pointer-to-kernel
  cudaMemset(h, 0, n);       // LINT: host-pointer-to-kernel
  std::free(h);
}
