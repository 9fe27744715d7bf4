// Calls that wait, and the waits that CUPTI's SYNCHRONIZE domain reports: for each call the
// number of its callbacks and how long the call took behind a kernel of some milliseconds. A call
// that took as long has waited.

#include <cuda_runtime.h>
#include <cupti.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

std::atomic<int> reported{0};

void CUPTIAPI callback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId, const void*) {
  if (domain == CUPTI_CB_DOMAIN_SYNCHRONIZE) ++reported;
}

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

template <class Call>
void probe(const char* name, Call&& call) {
  constexpr long long kCycles = 10'000'000;  // some 6 ms
  cudaDeviceSynchronize();
  spin<<<1, 1>>>(kCycles);
  reported = 0;
  const auto start = std::chrono::steady_clock::now();
  const cudaError_t result = call();
  const double took =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const int callbacks = reported;
  cudaDeviceSynchronize();
  std::printf("%-36s %8.3f ms  %-12s %d callbacks  %s\n", name, took,
              took > 3 ? "waited" : "did not wait", callbacks,
              result == cudaSuccess ? "" : cudaGetErrorString(result));
}

}  // namespace

int main() {
  CUpti_SubscriberHandle subscriber;
  if (cuptiSubscribe(&subscriber, callback, nullptr) != CUPTI_SUCCESS ||
      cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_SYNCHRONIZE) != CUPTI_SUCCESS) {
    std::puts("CUPTI cannot be subscribed to");
    return 77;
  }
  for (const size_t size : {size_t{1} << 10, size_t{1} << 24}) {
    std::printf("\n%zu bytes\n", size);
    std::vector<char> pageable(size);
    char *pinned = nullptr, *device = nullptr, *other = nullptr;
    cudaMallocHost(&pinned, size);
    cudaMalloc(&device, size);
    cudaMalloc(&other, size);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    constexpr auto kUp = cudaMemcpyHostToDevice, kDown = cudaMemcpyDeviceToHost;
    probe("memcpy h2d, pageable", [&] { return cudaMemcpy(device, pageable.data(), size, kUp); });
    probe("memcpy d2h, pageable", [&] { return cudaMemcpy(pageable.data(), device, size, kDown); });
    probe("memcpy h2d, pinned", [&] { return cudaMemcpy(device, pinned, size, kUp); });
    probe("memcpy d2h, pinned", [&] { return cudaMemcpy(pinned, device, size, kDown); });
    probe("memcpy d2d", [&] { return cudaMemcpy(other, device, size, cudaMemcpyDeviceToDevice); });
    probe("memcpyAsync h2d, pageable",
          [&] { return cudaMemcpyAsync(device, pageable.data(), size, kUp); });
    probe("memcpyAsync d2h, pageable",
          [&] { return cudaMemcpyAsync(pageable.data(), device, size, kDown); });
    probe("memcpyAsync h2d, pinned", [&] { return cudaMemcpyAsync(device, pinned, size, kUp); });
    probe("memcpyAsync d2h, pinned", [&] { return cudaMemcpyAsync(pinned, device, size, kDown); });
    probe("memcpyAsync h2d, pageable, own stream",
          [&] { return cudaMemcpyAsync(device, pageable.data(), size, kUp, stream); });
    probe("memset, device", [&] { return cudaMemset(device, 0, size); });
    probe("memset, pinned", [&] { return cudaMemset(pinned, 0, size); });
    probe("malloc", [&] { return cudaMalloc(&other, size); });
    probe("free", [&] { return cudaFree(other); });
    probe("mallocAsync and freeAsync", [&] {
      void* p = nullptr;
      const cudaError_t result = cudaMallocAsync(&p, size, stream);
      return result == cudaSuccess ? cudaFreeAsync(p, stream) : result;
    });
    probe("hostAlloc", [&] {
      void* p = nullptr;
      return cudaMallocHost(&p, size);
    });
    probe("freeHost", [&] { return cudaFreeHost(pinned); });
    probe("streamSynchronize, own stream", [&] { return cudaStreamSynchronize(stream); });
    probe("streamSynchronize, default", [&] { return cudaStreamSynchronize(nullptr); });
    probe("eventRecord and eventSynchronize", [&] {
      cudaEvent_t event;
      cudaEventCreate(&event);
      cudaEventRecord(event);
      return cudaEventSynchronize(event);
    });
    probe("streamCreate and streamDestroy", [&] {
      cudaStream_t s;
      cudaStreamCreate(&s);
      return cudaStreamDestroy(s);
    });
    cudaFree(device);
  }
}
