#pragma once
// Helpers that the small CUDA programs of trace_cases share. Each of its files has kernels of its
// own, since device code is not linked across files, and enters its cases in one table.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

using Cases = std::map<std::string, std::function<void()>>;

inline Cases& all_cases() {
  static Cases cases;
  return cases;
}
struct AddCases {
  explicit AddCases(Cases cases) { all_cases().merge(cases); }
};

namespace {

constexpr int kCount = 1 << 14;
constexpr size_t kBytes = kCount * sizeof(float);
// A marked line is one line.
[[maybe_unused]] constexpr cudaMemcpyKind kUp = cudaMemcpyHostToDevice;
[[maybe_unused]] constexpr cudaMemcpyKind kDown = cudaMemcpyDeviceToHost;
[[maybe_unused]] constexpr cudaMemcpyKind kEither = cudaMemcpyDefault;

__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
__global__ void add_to(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

void run_scale(const float* in, float* out, cudaStream_t stream = nullptr) {
  scale<<<kCount / 256, 256, 0, stream>>>(in, out, kCount);
}

void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "cases: %s\n", cudaGetErrorString(result));
  std::exit(9);
}

float* device_buffer() {
  void* buffer = nullptr;
  check(cudaMalloc(&buffer, kBytes));
  return static_cast<float*>(buffer);
}

struct Buffers {
  float* in = device_buffer();
  float* out = device_buffer();
  std::vector<float> host = std::vector<float>(kCount, 1.5F);
  std::vector<float> result = std::vector<float>(kCount);
  void bring(const float* from) {
    check(cudaMemcpy(result.data(), from, kBytes, cudaMemcpyDeviceToHost));
    look();
  }
  void look() const {
    if (result[kCount / 2] == -1) std::puts("never");
  }
  ~Buffers() {
    look();
    cudaFree(in);
    cudaFree(out);
  }
};

// A stream that waits for no other, and pinned memory.
struct Async {
  cudaStream_t stream = nullptr;
  float* pinned = nullptr;
  Buffers b;
  Async() {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaMallocHost(reinterpret_cast<void**>(&pinned), kBytes));
    std::memset(pinned, 0, kBytes);
    check(cudaMemset(b.in, 0, kBytes));
    check(cudaMemset(b.out, 0, kBytes));
    check(cudaDeviceSynchronize());
  }
  ~Async() {
    check(cudaStreamSynchronize(stream));
    if (pinned[kCount / 2] < 0) std::puts("never");  // what came last is looked at
    check(cudaFreeHost(pinned));
    check(cudaStreamDestroy(stream));
  }
};

}  // namespace
