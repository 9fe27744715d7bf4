// The driver API: asynchronous copies that something waits for.

#include <cuda.h>

#include <cstdio>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

struct Staging {
  float* host = nullptr;
  CUdeviceptr device = 0;

  explicit Staging(int n) {
    CHECK(cuMemAllocHost(reinterpret_cast<void**>(&host), n * sizeof(float)));
    CHECK(cuMemAlloc(&device, n * sizeof(float)));
  }
  ~Staging() {
    cuMemFree(device);
    cuMemFreeHost(host);
  }
};

void waits(CUfunction kernel, CUstream stream, int n) {
  Staging staging(n);
  void* parameters[] = {&staging.device, &n};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, stream, parameters, nullptr));
  CHECK(cuMemcpyDtoHAsync(staging.host, staging.device, n * sizeof(float), stream));
  CHECK(cuStreamSynchronize(stream));
  std::printf("%f\n", staging.host[0]);
}

void waits_for_an_event(CUfunction kernel, CUstream stream, CUevent done, int n) {
  Staging staging(n);
  void* parameters[] = {&staging.device, &n};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, stream, parameters, nullptr));
  CHECK(cuMemcpyDtoHAsync(staging.host, staging.device, n * sizeof(float), stream));
  CHECK(cuEventRecord(done, stream));
  CHECK(cuEventSynchronize(done));
  std::printf("%f\n", staging.host[0]);
}

void waits_for_all(CUfunction kernel, CUstream stream, int n) {
  Staging staging(n);
  void* parameters[] = {&staging.device, &n};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 0, stream, parameters, nullptr));
  CHECK(cuMemcpyDtoHAsync(staging.host, staging.device, n * sizeof(float), stream));
  CHECK(cuCtxSynchronize());
  std::printf("%f\n", staging.host[0]);
}
