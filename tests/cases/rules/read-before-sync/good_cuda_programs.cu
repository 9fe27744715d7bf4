// Programs that overlap work, as people write them: chunks in streams, flags, two buffers.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#define CHECK(x)                                             \
  do {                                                       \
    cudaError_t error = (x);                                 \
    if (error != cudaSuccess) {                              \
      std::fprintf(stderr, "%s", cudaGetErrorString(error)); \
      std::exit(1);                                          \
    }                                                        \
  } while (0)

__global__ void step(const float* in, float* out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i > 0 && i < n - 1) out[i] = 0.5f * (in[i - 1] + in[i + 1]);
}
__global__ void init(float* x, int n) { x[threadIdx.x % n] = 1; }
__global__ void addto(float* acc, const float* x, int n) {
  acc[threadIdx.x % n] += x[threadIdx.x % n];
}

// Chunked streams, pinned.
void chunked(float* out, int n, int chunks) {
  float *h, *d;
  CHECK(cudaMallocHost(&h, n * sizeof(float)));
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  cudaStream_t s[4];
  for (int i = 0; i < 4; ++i) cudaStreamCreate(&s[i]);
  for (int i = 0; i < n; ++i) h[i] = i;
  int c = n / chunks;
  for (int i = 0; i < chunks; ++i) {
    int off = i * c;
    CHECK(cudaMemcpyAsync(d + off, h + off, c * sizeof(float), cudaMemcpyHostToDevice, s[i % 4]));
    init<<<1, 32, 0, s[i % 4]>>>(d + off, c);
    CHECK(cudaMemcpyAsync(h + off, d + off, c * sizeof(float), cudaMemcpyDeviceToHost, s[i % 4]));
  }
  for (int i = 0; i < 4; ++i) CHECK(cudaStreamSynchronize(s[i]));
  memcpy(out, h, n * sizeof(float));
  cudaFreeHost(h);
  cudaFree(d);
}

// Convergence check with flag.
bool converge(float* d, float* tmp, int n) {
  bool* flag;
  cudaMallocManaged(&flag, sizeof(bool));
  int it = 0;
  do {
    *flag = true;
    step<<<1, 256>>>(d, tmp, n);
    cudaDeviceSynchronize();
    std::swap(d, tmp);
  } while (!*flag && ++it < 100);
  bool ok = *flag;
  cudaFree(flag);
  return ok;
}

// Double-buffered streaming of managed.
void stream2(int n, int batches, float* sink) {
  float* buf[2];
  for (int i = 0; i < 2; ++i) cudaMallocManaged(&buf[i], n * sizeof(float));
  for (int b = 0; b < batches; ++b) {
    int cur = b % 2;
    for (int i = 0; i < n; ++i) buf[cur][i] = b;
    addto<<<1, n>>>(sink, buf[cur], n);
    if (b > 0) cudaDeviceSynchronize();
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) cudaFree(buf[i]);
}

// Host pinned zero copy.
void zero(int n) {
  float *h, *d;
  cudaHostAlloc(&h, n * 4, cudaHostAllocMapped);
  for (int i = 0; i < n; ++i) h[i] = 1;
  cudaHostGetDevicePointer(&d, h, 0);
  init<<<1, 32>>>(d, n);
  cudaDeviceSynchronize();
  printf("%f", h[0]);
  cudaFreeHost(h);
}
