// Calls that a tracer meets, timed by the program itself: nanoseconds of the calling thread's
// processor time a call, the best of several rounds, because the machine may be shared. With the
// tracer the calls cost more; the difference is the tracer, which works in the thread that calls.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

__global__ void touch(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

double thread_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <typename F>
void measure(const char* name, int calls, F&& call) {
  constexpr int kRounds = 15;
  double best = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = thread_ns();
    for (int i = 0; i < calls; ++i) call(i);
    const double end = thread_ns();
    best = std::min(best, (end - begin) / calls);
  }
  std::printf("%s %.1f\n", name, best);
}

void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "bench: %s\n", cudaGetErrorString(result));
  std::exit(1);
}

}  // namespace

int main() {
  constexpr size_t kLarge = 64 << 20;
  float* device = nullptr;
  float* out = nullptr;
  check(cudaMalloc(&device, kLarge));
  check(cudaMalloc(&out, kLarge));
  std::vector<char> host(kLarge, 1);
  check(cudaMemcpy(device, host.data(), kLarge, cudaMemcpyHostToDevice));

  measure("launch", 1000, [&](int) { touch<<<1, 32>>>(device, out, 32); });
  check(cudaDeviceSynchronize());
  measure("sync", 1000, [](int) { check(cudaDeviceSynchronize()); });
  measure("upload_4B", 1000, [&](int i) {
    host[0] = static_cast<char>(i);
    check(cudaMemcpy(device, host.data(), 4, cudaMemcpyHostToDevice));
  });
  measure("upload_64KiB", 100, [&](int i) {
    host[0] = static_cast<char>(i);
    check(cudaMemcpy(device, host.data(), 64 << 10, cudaMemcpyHostToDevice));
  });
  measure("upload_64MiB", 2, [&](int i) {
    host[0] = static_cast<char>(i);
    check(cudaMemcpy(device, host.data(), kLarge, cudaMemcpyHostToDevice));
  });
  measure("download_64MiB", 2,
          [&](int) { check(cudaMemcpy(host.data(), out, kLarge, cudaMemcpyDeviceToHost)); });
  measure("alloc_free", 500, [](int) {
    void* block = nullptr;
    check(cudaMalloc(&block, 4096));
    check(cudaFree(block));
  });
  return 0;
}
