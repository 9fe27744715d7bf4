// Limits and caches of a device: kept and told; nothing runs otherwise for them.

#include <cuda_runtime_api.h>

#include <optional>

#include "cudart/api_call.h"
#include "cudart/device_properties.h"

using namespace xfer::emulator;

namespace {

/// A device's initial value of the limit. Nothing: it has no such limit.
std::optional<std::size_t> first_value(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize: return 1024;
    case cudaLimitPrintfFifoSize: return 7340032;
    case cudaLimitMallocHeapSize: return std::size_t{8} << 20;
    case cudaLimitDevRuntimePendingLaunchCount: return 2048;
    case cudaLimitMaxL2FetchGranularity: return 64;
    case cudaLimitPersistingL2CacheSize: return 0;
    default: return std::nullopt;
  }
}

std::size_t largest(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize: return 512 << 10;
    case cudaLimitMaxL2FetchGranularity: return 128;
    case cudaLimitPersistingL2CacheSize: return kPersistingL2Bytes;
    default: return SIZE_MAX;
  }
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return XFER_CALL(cudaDeviceSetLimit_v3020, limit, value).run([&](Session& session) {
    if (!first_value(limit)) return cudaErrorUnsupportedLimit;
    if (value > largest(limit)) return cudaErrorInvalidValue;
    session.current().limits[limit] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* pValue, cudaLimit limit) {
  return XFER_CALL(cudaDeviceGetLimit_v3020, pValue, limit).run([&](Session& session) {
    const std::optional<std::size_t> first = first_value(limit);
    if (pValue == nullptr) return cudaErrorInvalidValue;
    if (!first) return cudaErrorUnsupportedLimit;
    const auto& limits = session.current().limits;
    const auto set = limits.find(limit);
    *pValue = set == limits.end() ? *first : set->second;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache cacheConfig) {
  return XFER_CALL(cudaDeviceSetCacheConfig_v3020, cacheConfig).run([&](Session&) {
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* pCacheConfig) {
  return XFER_CALL(cudaDeviceGetCacheConfig_v3020, pCacheConfig).run([&](Session&) {
    if (pCacheConfig == nullptr) return cudaErrorInvalidValue;
    *pCacheConfig = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}

// Banks have had four bytes since Maxwell, whatever is asked for.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return XFER_CALL(cudaDeviceSetSharedMemConfig_v4020, config).run([&](Session&) {
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* pConfig) {
  return XFER_CALL(cudaDeviceGetSharedMemConfig_v4020, pConfig).run([&](Session&) {
    if (pConfig == nullptr) return cudaErrorInvalidValue;
    *pConfig = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return XFER_CALL_NO_PARAMS(cudaCtxResetPersistingL2Cache_v11000).run([](Session&) {
    return cudaSuccess;
  });
}
}
