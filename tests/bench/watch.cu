// A copy is in flight, and the host works beside its source, on the same page: what that costs.

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "watch: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// `touches` of the counter, and beside each so much other work.
double seconds(volatile int* counter, long touches, int work) {
  const auto begin = std::chrono::steady_clock::now();
  volatile int other = 0;
  for (long i = 0; i < touches; ++i) {
    *counter = *counter + 1;
    for (int k = 0; k < work; ++k) other = other + 1;
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main() {
  int* arena = nullptr;
  int* device = nullptr;
  cudaStream_t stream = nullptr;
  check(cudaMallocHost(&arena, 4096));
  check(cudaMalloc(&device, 64));
  check(cudaStreamCreate(&stream));
  const struct {
    const char* name;
    long touches;
    int work;
  } loops[] = {{"touches_only", 1'000'000'000, 0},
               {"one_in_1us", 2'000'000, 500},
               {"one_in_1ms", 3'000, 500'000}};
  for (const auto& loop : loops) {
    check(cudaMemcpyAsync(device, arena, 64, cudaMemcpyHostToDevice, stream));
    const double taken = seconds(arena + 512, loop.touches, loop.work);
    check(cudaStreamSynchronize(stream));
    std::printf("%s %.0f\n", loop.name, taken * 1e6);
  }
  return 0;
}
