// Device memory that only the device follows, and memory of both.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }

void through_copies(int n) {
  std::vector<float> h(n);
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(*d));
  cudaMemset(d, 0, n * sizeof(*d));
  float* second = &d[1];
  scale<<<1, 1>>>(second, 1);
  cudaMemcpy(h.data(), d, n * sizeof(d[0]), cudaMemcpyDeviceToHost);
  std::printf("%f at %p\n", h[0], static_cast<void*>(d));
}

void managed(int n) {
  float *both = nullptr, *pinned = nullptr;
  cudaMallocManaged(&both, n * sizeof(float));
  cudaMallocHost(&pinned, n * sizeof(float));
  both[0] = pinned[0] = 1;
}

__host__ __device__ float first(const float* x) { return x[0]; }
__global__ void look(const float* x, float* out) { out[0] = first(x); }

void freed_one_by_one(int n) {
  float* parts[2];
  for (int i = 0; i < 2; ++i) cudaMalloc(&parts[i], n * sizeof(float));
  for (float* part : parts) cudaFree(part);
}
