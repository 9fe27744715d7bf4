// Speed of copies, by direction, kind of memory and size: GB/s, the best of several.

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

double gigabytes_per_second(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
  double best = 0;
  for (int round = 0; round < 8; ++round) {
    cudaDeviceSynchronize();
    const auto start = std::chrono::steady_clock::now();
    cudaMemcpy(to, from, size, kind);
    cudaDeviceSynchronize();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(size) / took.count() / 1e9);
  }
  return best;
}

}  // namespace

int main() {
  std::printf("%12s %12s %12s %12s %12s %12s\n", "bytes", "h2d pageable", "h2d pinned",
              "d2h pageable", "d2h pinned", "d2d");
  for (size_t size = 1 << 12; size <= size_t{1} << 28; size <<= 4) {
    std::vector<char> pageable(size, 1);
    char *pinned = nullptr, *device = nullptr, *other = nullptr;
    if (cudaMallocHost(&pinned, size) != cudaSuccess || cudaMalloc(&device, size) != cudaSuccess ||
        cudaMalloc(&other, size) != cudaSuccess) {
      std::puts("out of memory");
      return 1;
    }
    constexpr auto kUp = cudaMemcpyHostToDevice, kDown = cudaMemcpyDeviceToHost;
    std::printf("%12zu %12.2f %12.2f %12.2f %12.2f %12.2f\n", size,
                gigabytes_per_second(device, pageable.data(), size, kUp),
                gigabytes_per_second(device, pinned, size, kUp),
                gigabytes_per_second(pageable.data(), device, size, kDown),
                gigabytes_per_second(pinned, device, size, kDown),
                gigabytes_per_second(other, device, size, cudaMemcpyDeviceToDevice));
    cudaFreeHost(pinned);
    cudaFree(device);
    cudaFree(other);
  }
}
