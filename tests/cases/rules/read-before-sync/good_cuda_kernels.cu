// Something waits, or may; or the host reads something else than the kernel writes to.

#include <cuda_runtime.h>

#include <cstdio>
#include <thread>
#include <utility>

__global__ void scale(float* x, int n) { x[threadIdx.x % n] *= 2; }
__global__ void copy(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void serve(volatile int* flag, float* x) {
  x[0] = 1;
  *flag = 1;
}
void finish();
void wait_for(cudaStream_t stream) { cudaStreamSynchronize(stream); }

void synchronised(int n, cudaStream_t stream) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  cudaMemset(p, 0, n * sizeof(float));
  scale<<<1, n>>>(p, n);
  cudaDeviceSynchronize();
  std::printf("%f\n", p[0]);
  scale<<<1, n, 0, stream>>>(p, n);
  wait_for(stream);
  std::printf("%f\n", p[1]);
  scale<<<1, n>>>(p, n);
  finish();
  std::printf("%f\n", p[2]);
  cudaFree(p);
}

void only_read_there(int n, float* out) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  cudaMemset(p, 0, n * sizeof(float));
  p[0] = 1;
  copy<<<1, n>>>(p, out);
  std::printf("%f\n", p[0]);
  cudaDeviceSynchronize();
  cudaFree(p);
}

void by_a_flag(float* x) {
  volatile int* flag = nullptr;
  cudaMallocHost((void**)&flag, sizeof(int));
  float* result = nullptr;
  cudaMallocManaged(&result, sizeof(float));
  *flag = 0;
  serve<<<1, 1>>>(flag, result);
  while (*flag == 0) {}
  std::printf("%f\n", result[0]);
}

void by_a_thread(int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(float));
  cudaMemset(p, 0, n * sizeof(float));
  scale<<<1, n>>>(p, n);
  std::thread waiter([] { cudaDeviceSynchronize(); });
  waiter.join();
  std::printf("%f\n", p[0]);
}

void halves(int n, const float* d) {
  float* both = nullptr;
  cudaMallocHost(&both, 2 * n * sizeof(float));
  float* next = both;
  float* last = both + n;
  cudaMemcpyAsync(next, d, n * sizeof(float), cudaMemcpyDeviceToHost, 0);
  cudaDeviceSynchronize();
  for (int i = 1; i < 4; ++i) {
    std::swap(next, last);
    cudaMemcpyAsync(next, d + i * n, n * sizeof(float), cudaMemcpyDeviceToHost, 0);
    std::printf("%f\n", last[0]);
    cudaDeviceSynchronize();
  }
  cudaFreeHost(both);
}

void parts(int n) {
  float* p = nullptr;
  cudaMallocManaged(&p, 2 * n * sizeof(float));
  cudaMemset(p, 0, 2 * n * sizeof(float));
  scale<<<1, n>>>(p + n, n);
  for (int i = 0; i < n; ++i) p[i] = p[i] + 1;
  cudaDeviceSynchronize();
  cudaFree(p);
}

void not_pinned_any_more(float* h, const float* d, int n) {
  cudaHostRegister(h, n * sizeof(float), cudaHostRegisterDefault);
  cudaHostUnregister(h);
  cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, 0);
  std::printf("%f\n", h[0]);
}
