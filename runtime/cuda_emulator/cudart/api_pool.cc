// Stream-ordered allocation and its pools.

#include <cuda_runtime_api.h>

#include "cudart/api_call.h"
#include "cudart/capture.h"
#include "cudart/pool.h"
#include "cudart/stream_memory.h"

using namespace xfer::emulator;

namespace {

bool is_device(const Session& session, int device) {
  return device >= 0 && device < session.machine.device_count();
}

bool is_device(const Session& session, const cudaMemLocation* location) {
  return location != nullptr && location->type == cudaMemLocationTypeDevice &&
         is_device(session, location->id);
}

cudaError_t create(const Session& session, cudaMemPool_t* handle, const cudaMemPoolProps* asked) {
  if (handle == nullptr || asked == nullptr) return cudaErrorInvalidValue;
  if (asked->handleTypes != cudaMemHandleTypeNone)
    return xfer_emulator_not_supported("cudaMemPoolCreate for memory that processes share");
  if (asked->location.type != cudaMemLocationTypeDevice ||
      asked->allocType != cudaMemAllocationTypePinned)
    return xfer_emulator_not_supported("cudaMemPoolCreate for other than device memory");
  if (!is_device(session, &asked->location)) return cudaErrorInvalidDevice;
  *handle = reinterpret_cast<cudaMemPool_t>(create_pool(asked->location.id, asked->maxSize).get());
  return cudaSuccess;
}

std::uint64_t& number(void* value) { return *static_cast<std::uint64_t*>(value); }

cudaError_t set_attribute(MemoryPool& pool, cudaMemPoolAttr attribute, void* value) {
  HighWater& high = attribute == cudaMemPoolAttrUsedMemHigh ? pool.used : pool.reserved;
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *static_cast<int*>(value);
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      pool.release_threshold = number(value);
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      if (number(value) != 0) return cudaErrorInvalidValue;  // it can only start again
      high.high = high.now;
      return cudaSuccess;
    default: return cudaErrorInvalidValue;
  }
}

cudaError_t get_attribute(const MemoryPool& pool, cudaMemPoolAttr attribute, void* value) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int*>(value) = pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold: number(value) = pool.release_threshold; break;
    case cudaMemPoolAttrReservedMemCurrent: number(value) = pool.reserved.now; break;
    case cudaMemPoolAttrReservedMemHigh: number(value) = pool.reserved.high; break;
    case cudaMemPoolAttrUsedMemCurrent: number(value) = pool.used.now; break;
    case cudaMemPoolAttrUsedMemHigh: number(value) = pool.used.high; break;
    default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/// Kernels of a device may touch what the pools of another give, if the program says so.
cudaError_t set_access(Session& session, MemoryPool& pool, const cudaMemAccessDesc* asked,
                       size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!is_device(session, &asked[i].location)) return cudaErrorInvalidDevice;
    const int device = asked[i].location.id;
    if (device == pool.device) {
      if (asked[i].flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidDevice;
      continue;
    }
    if (!session.machine.options().peer) return cudaErrorInvalidDevice;
    pool.access[device] = asked[i].flags;
    auto& reached = session.machine.device(device).pool_peers;
    if (asked[i].flags == cudaMemAccessFlagsProtNone)
      reached.erase(pool.device);
    else
      reached.insert(pool.device);
  }
  return cudaSuccess;
}

cudaError_t give(cudaMemPool_t* handle, const std::shared_ptr<MemoryPool>& pool) {
  *handle = reinterpret_cast<cudaMemPool_t>(pool.get());
  return cudaSuccess;
}

cudaError_t set_current(const Session& session, int device, cudaMemPool_t handle) {
  MemoryPool* const pool = MemoryPool::find(handle);
  if (pool == nullptr) return cudaErrorInvalidValue;
  if (!is_device(session, device)) return cudaErrorInvalidDevice;
  if (pool->device != device) return cudaErrorInvalidValue;
  set_current_pool(device, pool->shared_from_this());
  return cudaSuccess;
}

}  // namespace

extern "C" {

#define XFER_ON_STREAM(MEANS) session.machine.stream(stream, DefaultStream::MEANS)

#define XFER_STREAM_MEMORY(SUFFIX, MEANS)                                                        \
  cudaError_t cudaMallocAsync##SUFFIX(void** devPtr, size_t size, cudaStream_t stream) {         \
    return XFER_CALL(cudaMallocAsync##SUFFIX##_v11020, devPtr, size, stream)                     \
        .run([&](Session& session) {                                                             \
          return allocate_in_stream(session, devPtr, size, nullptr, XFER_ON_STREAM(MEANS));      \
        });                                                                                      \
  }                                                                                              \
  cudaError_t cudaFreeAsync##SUFFIX(void* devPtr, cudaStream_t stream) {                         \
    return XFER_CALL(cudaFreeAsync##SUFFIX##_v11020, devPtr, stream).run([&](Session& session) { \
      return free_in_stream(session, devPtr, XFER_ON_STREAM(MEANS));                             \
    });                                                                                          \
  }                                                                                              \
  cudaError_t cudaMallocFromPoolAsync##SUFFIX(void** ptr, size_t size, cudaMemPool_t memPool,    \
                                              cudaStream_t stream) {                             \
    return XFER_CALL(cudaMallocFromPoolAsync##SUFFIX##_v11020, ptr, size, memPool, stream)       \
        .run([&](Session& session) {                                                             \
          MemoryPool* const pool = MemoryPool::find(memPool);                                    \
          if (pool == nullptr) return cudaErrorInvalidValue;                                     \
          return allocate_in_stream(session, ptr, size, pool, XFER_ON_STREAM(MEANS));            \
        });                                                                                      \
  }
XFER_STREAM_MEMORY(, kLegacy)
XFER_STREAM_MEMORY(_ptsz, kPerThread)

cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool, const cudaMemPoolProps* poolProps) {
  return XFER_CALL(cudaMemPoolCreate_v11020, memPool, poolProps).run([&](Session& session) {
    return create(session, memPool, poolProps);
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  return XFER_CALL(cudaMemPoolDestroy_v11020, memPool).run([&](Session&) {
    MemoryPool* const pool = MemoryPool::find(memPool);
    return pool != nullptr && destroy_pool(pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
  return XFER_CALL(cudaMemPoolSetAttribute_v11020, memPool, attr, value).run([&](Session&) {
    MemoryPool* const pool = MemoryPool::find(memPool);
    if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
    return set_attribute(*pool, attr, value);
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
  return XFER_CALL(cudaMemPoolGetAttribute_v11020, memPool, attr, value).run([&](Session&) {
    const MemoryPool* const pool = MemoryPool::find(memPool);
    if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
    return get_attribute(*pool, attr, value);
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
  return XFER_CALL(cudaMemPoolTrimTo_v11020, memPool, minBytesToKeep).run([&](Session&) {
    MemoryPool* const pool = MemoryPool::find(memPool);
    if (pool == nullptr) return cudaErrorInvalidValue;
    pool->trim(minBytesToKeep);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const cudaMemAccessDesc* descList,
                                 size_t count) {
  return XFER_CALL(cudaMemPoolSetAccess_v11020, memPool, descList, count)
      .run([&](Session& session) {
        MemoryPool* const pool = MemoryPool::find(memPool);
        if (pool == nullptr || (descList == nullptr && count != 0)) return cudaErrorInvalidValue;
        return set_access(session, *pool, descList, count);
      });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t memPool,
                                 cudaMemLocation* location) {
  return XFER_CALL(cudaMemPoolGetAccess_v11020, flags, memPool, location)
      .run([&](Session& session) {
        const MemoryPool* const pool = MemoryPool::find(memPool);
        if (pool == nullptr || flags == nullptr || !is_device(session, location))
          return cudaErrorInvalidValue;
        const auto found = pool->access.find(location->id);
        *flags = location->id == pool->device  ? cudaMemAccessFlagsProtReadWrite
                 : found != pool->access.end() ? found->second
                                               : cudaMemAccessFlagsProtNone;
        return cudaSuccess;
      });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
  return XFER_CALL(cudaDeviceGetDefaultMemPool_v11020, memPool, device).run([&](Session& session) {
    if (memPool == nullptr) return cudaErrorInvalidValue;
    return is_device(session, device) ? give(memPool, default_pool(device))
                                      : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
  return XFER_CALL(cudaDeviceGetMemPool_v11020, memPool, device).run([&](Session& session) {
    if (memPool == nullptr) return cudaErrorInvalidValue;
    return is_device(session, device) ? give(memPool, current_pool(device))
                                      : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  return XFER_CALL(cudaDeviceSetMemPool_v11020, device, memPool).run([&](Session& session) {
    return set_current(session, device, memPool);
  });
}

// The same questions with a location for the device.
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* memPool, cudaMemLocation* location,
                                     cudaMemAllocationType type) {
  return XFER_CALL(cudaMemGetDefaultMemPool_v13000, memPool, location, type)
      .run([&](Session& session) {
        if (memPool == nullptr || !is_device(session, location)) return cudaErrorInvalidValue;
        return give(memPool, default_pool(location->id));
      });
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* memPool, cudaMemLocation* location,
                              cudaMemAllocationType type) {
  return XFER_CALL(cudaMemGetMemPool_v13000, memPool, location, type).run([&](Session& session) {
    if (memPool == nullptr || !is_device(session, location)) return cudaErrorInvalidValue;
    return give(memPool, current_pool(location->id));
  });
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type,
                              cudaMemPool_t memPool) {
  return XFER_CALL(cudaMemSetMemPool_v13000, location, type, memPool).run([&](Session& session) {
    if (!is_device(session, location)) return cudaErrorInvalidValue;
    return set_current(session, location->id, memPool);
  });
}
}
