// Programs that copy again and again, as people write them: buffers that take turns, halos, timing
// loops, owners.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

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
struct Halo {
  float *send_h, *recv_h, *send_d, *recv_d;
  int n;
};
void exchange_with_neighbours(float* send, float* recv, int n);

// Ping-pong.
void pingpong(std::vector<float>& v, int steps) {
  int n = v.size();
  float *a, *b;
  size_t bytes = n * sizeof(float);
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMemcpy(a, v.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, v.data(), bytes, cudaMemcpyHostToDevice));
  for (int s = 0; s < steps; ++s) {
    step<<<(n + 255) / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
  CHECK(cudaMemcpy(v.data(), a, bytes, cudaMemcpyDeviceToHost));
  cudaFree(a);
  cudaFree(b);
}

// Halo exchange in loop.
void halo(Halo& h, float* grid, int steps) {
  for (int s = 0; s < steps; ++s) {
    cudaMemcpy(h.send_h, grid, h.n * sizeof(float), cudaMemcpyDeviceToHost);
    exchange_with_neighbours(h.send_h, h.recv_h, h.n);
    cudaMemcpy(grid + h.n, h.recv_h, h.n * sizeof(float), cudaMemcpyHostToDevice);
    step<<<1, 256>>>(grid, grid, h.n);
  }
}

// Warm-up and timing.
void timing(const float* h, float* r, int n) {
  float *d, *o;
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&o, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int i = 0; i < 5; ++i) step<<<1, 256>>>(d, o, n);  // warm up
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  cudaEventRecord(a);
  for (int i = 0; i < 100; ++i) step<<<1, 256>>>(d, o, n);
  cudaEventRecord(b);
  cudaEventSynchronize(b);
  float ms;
  cudaEventElapsedTime(&ms, a, b);
  cudaMemcpy(r, o, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d);
  cudaFree(o);
}

// An owner of device memory.
class Buf {
 public:
  explicit Buf(size_t n) : n_(n) { cudaMalloc(&p_, n * sizeof(float)); }
  ~Buf() {
    if (p_) cudaFree(p_);
  }
  Buf(Buf&& o) noexcept : p_(o.p_), n_(o.n_) { o.p_ = nullptr; }
  float* get() { return p_; }
  void upload(const std::vector<float>& v) {
    cudaMemcpy(p_, v.data(), n_ * sizeof(float), cudaMemcpyHostToDevice);
  }
  void resize(size_t n) {
    cudaFree(p_);
    cudaMalloc(&p_, n * sizeof(float));
    n_ = n;
  }

 private:
  float* p_ = nullptr;
  size_t n_;
};
void raii(std::vector<float>& v) {
  Buf a(v.size()), b(v.size());
  a.upload(v);
  b.upload(v);
  for (int i = 0; i < 10; ++i) {
    step<<<1, 256>>>(a.get(), b.get(), v.size());
  }
  a.resize(20);
  a.upload(v);
}

// Accumulate with memset.
float reduce(const float* d, int n) {
  float *acc, h = 0;
  cudaMalloc(&acc, sizeof(float));
  cudaMemset(acc, 0, sizeof(float));
  addto<<<1, 1>>>(acc, d, 1);
  cudaMemcpy(&h, acc, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(acc);
  return h;
}
float loop_reduce(const float* d, int n, int k) {
  float t = 0;
  for (int i = 0; i < k; ++i) t += reduce(d + i, n);
  return t;
}

// Padded rows.
void padded(const float* h, int w, int hgt) {
  int pitch = (w + 31) / 32 * 32;
  float* d;
  cudaMalloc(&d, pitch * hgt * sizeof(float));
  for (int y = 0; y < hgt; ++y)
    cudaMemcpy(d + y * pitch, h + y * w, w * sizeof(float), cudaMemcpyHostToDevice);
  init<<<1, 32>>>(d, w);
  cudaFree(d);
}
