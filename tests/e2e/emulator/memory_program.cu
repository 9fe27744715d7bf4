// Pools of memory, and what programs say of memory, streams and limits. The first argument says
// which.

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "kernels.cuh"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // old programs ask for banks

namespace {

constexpr size_t kBytes = 1 << 20;

void show(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}
#define CHECK(call)                               \
  do {                                            \
    const cudaError_t error = (call);             \
    if (error != cudaSuccess) show(#call, error); \
  } while (false)

std::uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t value = 99;
  CHECK(cudaMemPoolGetAttribute(pool, which, &value));
  return value;
}

cudaMemPoolProps on_device(int device, size_t most = 0) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  properties.maxSize = most;
  return properties;
}

void print(const char* when, cudaMemPool_t pool) {
  std::printf("%s: used %llu at most %llu, reserved %llu\n", when,
              static_cast<unsigned long long>(attribute(pool, cudaMemPoolAttrUsedMemCurrent)),
              static_cast<unsigned long long>(attribute(pool, cudaMemPoolAttrUsedMemHigh)),
              static_cast<unsigned long long>(attribute(pool, cudaMemPoolAttrReservedMemCurrent)));
}

void pools() {
  cudaMemPool_t standard = nullptr, current = nullptr, own = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&standard, 0));
  CHECK(cudaDeviceGetMemPool(&current, 0));
  cudaMemPoolProps properties = on_device(0, 2 * kBytes);
  CHECK(cudaMemPoolCreate(&own, &properties));
  std::printf("current is standard: %d, own: %d\n", current == standard, own == standard);

  void *a = nullptr, *b = nullptr, *c = nullptr;
  CHECK(cudaMallocFromPoolAsync(&a, kBytes, own, nullptr));
  CHECK(cudaMallocFromPoolAsync(&b, kBytes, own, nullptr));
  show("too much", cudaMallocFromPoolAsync(&c, 1, own, nullptr));
  cudaGetLastError();
  print("taken", own);
  std::uint64_t keep = UINT64_MAX;
  CHECK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &keep));
  CHECK(cudaFreeAsync(a, nullptr));
  CHECK(cudaFree(b));
  CHECK(cudaDeviceSynchronize());
  print("freed", own);
  CHECK(cudaMemPoolTrimTo(own, 100));
  keep = 0;
  CHECK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &keep));
  print("trimmed", own);

  CHECK(cudaDeviceSetMemPool(0, own));
  CHECK(cudaDeviceGetMemPool(&current, 0));
  CHECK(cudaMallocAsync(&a, kBytes, nullptr));
  std::printf("current is own: %d\n", current == own);
  print("own", own);
  print("standard", standard);
  int reuse = -1;
  CHECK(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse));
  std::printf("reuse: %d\n", reuse);
  CHECK(cudaMemPoolDestroy(own));
  CHECK(cudaDeviceGetMemPool(&current, 0));
  std::printf("current is standard: %d\n", current == standard);
  CHECK(cudaFreeAsync(a, nullptr));
  show("destroyed", cudaMemPoolDestroy(own));
  show("standard", cudaMemPoolDestroy(standard));
  show("no pool", cudaMallocFromPoolAsync(&a, kBytes, own, nullptr));
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  show("shared", cudaMemPoolCreate(&own, &properties));
}

// A kernel of device 0 reads what a pool of device 1 gave.
void access() {
  cudaMemPool_t pool = nullptr;
  const cudaMemPoolProps properties = on_device(1);
  CHECK(cudaMemPoolCreate(&pool, &properties));
  cudaMemLocation first{cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags flags{};
  CHECK(cudaMemPoolGetAccess(&flags, pool, &first));
  std::printf("before: %d\n", flags);
  const cudaMemAccessDesc asked{first, cudaMemAccessFlagsProtReadWrite};
  CHECK(cudaMemPoolSetAccess(pool, &asked, 1));
  CHECK(cudaMemPoolGetAccess(&flags, pool, &first));
  std::printf("after: %d\n", flags);
  CHECK(cudaSetDevice(1));
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  float* there = nullptr;
  CHECK(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&there), 4, pool, stream));
  const float value = 6;
  CHECK(cudaMemcpy(there, &value, 4, cudaMemcpyDefault));
  CHECK(cudaSetDevice(0));
  program::scale<float><<<1, 32>>>(there, 2, 1);
  CHECK(cudaDeviceSynchronize());
  float result = 0;
  CHECK(cudaMemcpy(&result, there, 4, cudaMemcpyDefault));
  std::printf("result: %g\n", result);
}

void managed() {
  float* data = nullptr;
  CHECK(cudaMallocManaged(&data, kBytes));
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamAttachMemAsync(stream, data, 0, cudaMemAttachSingle));
  show("flags", cudaStreamAttachMemAsync(stream, data, 0, 8));
  show("a part", cudaStreamAttachMemAsync(stream, data + 4, 4, cudaMemAttachSingle));
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, none{cudaMemLocationTypeDevice, 9},
      host{cudaMemLocationTypeHost, 0};
  CHECK(cudaMemAdvise(data, kBytes, cudaMemAdviseSetReadMostly, none));
  CHECK(cudaMemAdvise(data, kBytes, cudaMemAdviseSetPreferredLocation, host));
  show("no device", cudaMemAdvise(data, kBytes, cudaMemAdviseSetAccessedBy, none));
  CHECK(cudaMemPrefetchAsync(data, kBytes, device, 0, stream));
  show("too much", cudaMemPrefetchAsync(data, kBytes + 1, device, 0, stream));
  show("no device", cudaMemPrefetchAsync(data, kBytes, none, 0, stream));
  static char pageable[4096];
  show("io memory", cudaHostRegister(pageable, 4096, cudaHostRegisterIoMemory));
  show("flags", cudaHostRegister(pageable, 4096, 64));
  CHECK(cudaHostRegister(pageable, 4096, cudaHostRegisterReadOnly | cudaHostRegisterMapped));
}

void attributes() {
  const std::map<std::string, cudaDeviceAttr> asked = {
      {"cooperative", cudaDevAttrCooperativeLaunch},
      {"persisting", cudaDevAttrMaxPersistingL2CacheSize},
      {"pools", cudaDevAttrMemoryPoolsSupported},
      {"unified", cudaDevAttrUnifiedAddressing},
      {"window", cudaDevAttrMaxAccessPolicyWindowSize}};
  for (const auto& [name, which] : asked) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, which, 0));
    std::printf("%s %d\n", name.c_str(), value);
  }
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("same: %d\n", properties.cooperativeLaunch == 1 &&
                                properties.persistingL2CacheMaxSize == 32 << 20 &&
                                properties.accessPolicyMaxWindowSize == 128 << 20);

  cudaStream_t stream = nullptr, other = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreate(&other));
  cudaStreamAttrValue value{};
  value.accessPolicyWindow.num_bytes = 4096;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  CHECK(cudaStreamCopyAttributes(other, stream));
  value = {};
  CHECK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &value));
  std::printf("window %zu\n", value.accessPolicyWindow.num_bytes);
  show("unknown", cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value));
  CHECK(cudaCtxResetPersistingL2Cache());

  size_t limit = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  std::printf("limit %zu\n", limit);
  show("too much", cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 33 << 20));
  show("no such limit", cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth));
  const auto* const kernel = reinterpret_cast<const void*>(&program::scale<float>);
  cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  CHECK(cudaFuncSetSharedMemConfig(kernel, cudaSharedMemBankSizeEightByte));
  CHECK(cudaDeviceGetSharedMemConfig(&banks));
  std::printf("banks of %s bytes\n", banks == cudaSharedMemBankSizeFourByte ? "4" : "other");
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  show("carveout",
       cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  show("clusters", cudaFuncSetAttribute(kernel, cudaFuncAttributeRequiredClusterWidth, 2));
}

void entry_points() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result{};
  CHECK(cudaGetDriverEntryPointByVersion("cuDeviceGetCount", &function, 12000, cudaEnableDefault,
                                         &result));
  int count = 0;
  if (function != nullptr) reinterpret_cast<CUresult (*)(int*)>(function)(&count);
  std::printf("found %d, devices %d\n", result == cudaDriverEntryPointSuccess, count);
  CHECK(
      cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, cudaEnableDefault, &result));
  std::printf("found %d\n", function != nullptr || result != cudaDriverEntryPointSymbolNotFound);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> acts = {{"pools", pools},
                                                  {"access", access},
                                                  {"managed", managed},
                                                  {"attributes", attributes},
                                                  {"entry_points", entry_points}};
  const auto act = argc > 1 ? acts.find(argv[1]) : acts.end();
  if (act == acts.end()) return 64;
  act->second();
  return 0;
}
