// Allocation: device, pitched, stream-ordered, pinned, registered, managed; and what an address is.

#include <cuda_runtime_api.h>

#include "cudart/api_call.h"
#include "machine/cost_model.h"

using namespace xfer::emulator;

namespace {

constexpr size_t kPitch = 512;

cudaError_t allocate(Session& session, void** pointer, size_t bytes) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const auto address = session.machine.memory().allocate(session.thread.device, bytes);
  if (!address) return cudaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(*address);
  return cudaSuccess;
}

cudaError_t allocate_in_stream(Session& session, void** pointer, size_t bytes, Stream* stream) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture != nullptr) {
    return xfer_emulator_not_supported("cudaMallocAsync on a stream that is captured");
  }
  session.machine.spend(cost::kPoolNs);
  cudaError_t error = allocate(session, pointer, bytes);
  if (error == cudaErrorMemoryAllocation) {
    session.machine.scheduler().finish_all(session.lock);  // frees that are queued may make room
    error = allocate(session, pointer, bytes);
  }
  return error;
}

cudaError_t free_in_stream(Session& session, void* pointer, Stream* stream) {
  Machine& machine = session.machine;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (pointer == nullptr) return cudaSuccess;
  if (stream->capture != nullptr) {
    return xfer_emulator_not_supported("cudaFreeAsync on a stream that is captured");
  }
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto block = machine.memory().find(address);
  if (!block || block->address != address || machine.freed_in_stream.count(address) != 0) {
    return cudaErrorInvalidValue;
  }
  machine.spend(cost::kPoolNs);
  machine.freed_in_stream.insert(address);
  Op op;
  op.run = [&machine, address] {
    machine.freed_in_stream.erase(address);
    machine.memory().release(address);
  };
  machine.scheduler().submit(session.lock, *stream, std::move(op));
  return cudaSuccess;
}

cudaError_t allocate_host(Session& session, void** pointer, size_t bytes, HostKind kind,
                          unsigned flags) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return kind == HostKind::kManaged ? cudaErrorInvalidValue : cudaSuccess;
  session.machine.spend(cost::kMallocNs + bytes / 4096 * cost::kPinNsPerPage);
  *pointer = session.machine.host_memory().allocate(bytes, kind, flags, session.thread.device);
  return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaMemoryType type_of(const Place& place) {
  switch (place.kind) {
    case MemoryKind::kPageable: return cudaMemoryTypeUnregistered;
    case MemoryKind::kPinned: return cudaMemoryTypeHost;
    case MemoryKind::kDevice: return cudaMemoryTypeDevice;
    case MemoryKind::kManaged: return cudaMemoryTypeManaged;
  }
  return cudaMemoryTypeUnregistered;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** devPtr, size_t size) {
  return XFER_CALL(cudaMalloc_v3020, devPtr, size).run([&](Session& session) {
    session.machine.spend(cost::kMallocNs);
    return allocate(session, devPtr, size);
  });
}

cudaError_t cudaFree(void* devPtr) {
  return XFER_CALL(cudaFree_v3020, devPtr).run([&](Session& session) {
    Machine& machine = session.machine;
    if (devPtr == nullptr) return cudaSuccess;
    const Place place = machine.locate(devPtr);
    const auto address = reinterpret_cast<std::uintptr_t>(devPtr);
    if (place.begin != address || place.kind == MemoryKind::kPinned ||
        machine.freed_in_stream.count(address) != 0) {
      return cudaErrorInvalidValue;
    }
    // It waits for the device, whether the memory is in use or not.
    const int device = place.device >= 0 ? place.device : session.thread.device;
    machine.scheduler().finish_device(session.lock, device);
    machine.wait_until(machine.device_ready_ns(device));
    machine.spend(cost::kFreeNs);
    const bool freed = place.kind == MemoryKind::kManaged
                           ? machine.host_memory().release(devPtr, true)
                           : machine.memory().release(address).has_value();
    return freed ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  return XFER_CALL(cudaMallocPitch_v3020, devPtr, pitch, width, height).run([&](Session& session) {
    if (pitch == nullptr) return cudaErrorInvalidValue;
    const size_t row = (width + kPitch - 1) / kPitch * kPitch;
    if (height != 0 && row > SIZE_MAX / height) return cudaErrorMemoryAllocation;
    *pitch = row;
    session.machine.spend(cost::kMallocNs);
    return allocate(session, devPtr, row * height);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitchedDevPtr, cudaExtent extent) {
  return XFER_CALL(cudaMalloc3D_v3020, pitchedDevPtr, extent).run([&](Session& session) {
    if (pitchedDevPtr == nullptr) return cudaErrorInvalidValue;
    const size_t row = (extent.width + kPitch - 1) / kPitch * kPitch;
    size_t rows = 0;
    size_t bytes = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows) ||
        __builtin_mul_overflow(row, rows, &bytes)) {
      return cudaErrorMemoryAllocation;
    }
    session.machine.spend(cost::kMallocNs);
    *pitchedDevPtr = {nullptr, row, extent.width, extent.height};
    return allocate(session, &pitchedDevPtr->ptr, bytes);
  });
}

#define XFER_MALLOC_ASYNC(NAME, VERSIONED, MEANS)                                               \
  cudaError_t NAME(void** devPtr, size_t size, cudaStream_t hStream) {                          \
    return XFER_CALL(VERSIONED, devPtr, size, hStream).run([&](Session& session) {              \
      return allocate_in_stream(session, devPtr, size, session.machine.stream(hStream, MEANS)); \
    });                                                                                         \
  }
XFER_MALLOC_ASYNC(cudaMallocAsync, cudaMallocAsync_v11020, DefaultStream::kLegacy)
XFER_MALLOC_ASYNC(cudaMallocAsync_ptsz, cudaMallocAsync_ptsz_v11020, DefaultStream::kPerThread)

#define XFER_FREE_ASYNC(NAME, VERSIONED, MEANS)                                       \
  cudaError_t NAME(void* devPtr, cudaStream_t hStream) {                              \
    return XFER_CALL(VERSIONED, devPtr, hStream).run([&](Session& session) {          \
      return free_in_stream(session, devPtr, session.machine.stream(hStream, MEANS)); \
    });                                                                               \
  }
XFER_FREE_ASYNC(cudaFreeAsync, cudaFreeAsync_v11020, DefaultStream::kLegacy)
XFER_FREE_ASYNC(cudaFreeAsync_ptsz, cudaFreeAsync_ptsz_v11020, DefaultStream::kPerThread)

// One pool a device, which gives memory back at once.
#define XFER_MALLOC_FROM_POOL(NAME, VERSIONED, MEANS)                                       \
  cudaError_t NAME(void** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {   \
    return XFER_CALL(VERSIONED, ptr, size, memPool, stream).run([&](Session& session) {     \
      return allocate_in_stream(session, ptr, size, session.machine.stream(stream, MEANS)); \
    });                                                                                     \
  }
XFER_MALLOC_FROM_POOL(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_v11020,
                      DefaultStream::kLegacy)
XFER_MALLOC_FROM_POOL(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync_ptsz_v11020,
                      DefaultStream::kPerThread)

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
  return XFER_CALL(cudaDeviceGetDefaultMemPool_v11020, memPool, device).run([&](Session& session) {
    if (memPool == nullptr) return cudaErrorInvalidValue;
    if (device < 0 || device >= session.machine.device_count()) return cudaErrorInvalidDevice;
    *memPool = reinterpret_cast<cudaMemPool_t>(&session.machine.device(device));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
  return cudaDeviceGetDefaultMemPool(memPool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
  return XFER_CALL(cudaMemPoolSetAttribute_v11020, memPool, attr, value).run([&](Session&) {
    return memPool == nullptr || value == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
  return XFER_CALL(cudaMemPoolTrimTo_v11020, memPool, minBytesToKeep).run([&](Session&) {
    return memPool == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaMallocHost(void** ptr, size_t size) {
  return XFER_CALL(cudaMallocHost_v3020, ptr, size).run([&](Session& session) {
    return allocate_host(session, ptr, size, HostKind::kPinned, cudaHostAllocDefault);
  });
}

cudaError_t cudaHostAlloc(void** pHost, size_t size, unsigned int flags) {
  return XFER_CALL(cudaHostAlloc_v3020, pHost, size, flags).run([&](Session& session) {
    constexpr unsigned kKnown =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    return allocate_host(session, pHost, size, HostKind::kPinned, flags);
  });
}

cudaError_t cudaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  return XFER_CALL(cudaMallocManaged_v6000, devPtr, size, flags).run([&](Session& session) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate_host(session, devPtr, size, HostKind::kManaged, flags);
  });
}

cudaError_t cudaFreeHost(void* ptr) {
  return XFER_CALL(cudaFreeHost_v3020, ptr).run([&](Session& session) {
    if (ptr == nullptr) return cudaSuccess;
    const Place place = session.machine.locate(ptr);
    if (place.kind != MemoryKind::kPinned) return cudaErrorInvalidValue;
    session.machine.scheduler().finish_all(session.lock);
    session.machine.host_watch().release_all();
    session.machine.spend(cost::kFreeNs);
    return session.machine.host_memory().release(ptr, false) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags) {
  return XFER_CALL(cudaHostRegister_v4000, ptr, size, flags).run([&](Session& session) {
    Machine& machine = session.machine;
    if (ptr == nullptr || size == 0 || machine.locate(ptr).device >= 0) {
      return cudaErrorInvalidValue;
    }
    machine.spend(cost::kMallocNs + size / 4096 * cost::kPinNsPerPage);
    return machine.host_memory().add_registered(ptr, size, flags, session.thread.device)
               ? cudaSuccess
               : cudaErrorHostMemoryAlreadyRegistered;
  });
}

cudaError_t cudaHostUnregister(void* ptr) {
  return XFER_CALL(cudaHostUnregister_v4000, ptr).run([&](Session& session) {
    session.machine.scheduler().finish_all(session.lock);
    return session.machine.host_memory().remove_registered(ptr) ? cudaSuccess
                                                                : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
  return XFER_CALL(cudaHostGetDevicePointer_v3020, pDevice, pHost, flags)
      .run([&](Session& session) {
        if (pDevice == nullptr || flags != 0) return cudaErrorInvalidValue;
        if (session.machine.locate(pHost).kind != MemoryKind::kPinned) {
          return cudaErrorInvalidValue;
        }
        *pDevice = pHost;
        return cudaSuccess;
      });
}

cudaError_t cudaHostGetFlags(unsigned int* pFlags, void* pHost) {
  return XFER_CALL(cudaHostGetFlags_v3020, pFlags, pHost).run([&](Session& session) {
    const auto block = session.machine.host_memory().find(reinterpret_cast<std::uintptr_t>(pHost));
    if (pFlags == nullptr || !block || block->kind == HostKind::kManaged) {
      return cudaErrorInvalidValue;
    }
    *pFlags = block->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return XFER_CALL(cudaMemGetInfo_v3020, free, total).run([&](Session& session) {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *free = session.machine.memory().bytes_free(session.thread.device);
    *total = session.machine.memory().bytes_total();
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* ptr) {
  return XFER_CALL(cudaPointerGetAttributes_v4000, attributes, ptr).run([&](Session& session) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const Place place = session.machine.locate(ptr);
    *attributes = cudaPointerAttributes{};
    attributes->type = place.dangling ? cudaMemoryTypeUnregistered : type_of(place);
    attributes->device = -2;  // as for memory that CUDA does not know
    void* const address = const_cast<void*>(ptr);
    if (place.dangling) return cudaSuccess;
    if (place.kind == MemoryKind::kDevice) {
      attributes->device = place.device;
      attributes->devicePointer = address;
      return cudaSuccess;
    }
    attributes->hostPointer = address;
    if (const auto block =
            session.machine.host_memory().find(reinterpret_cast<std::uintptr_t>(ptr))) {
      attributes->device = block->device;
      attributes->devicePointer = address;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
  return XFER_CALL(cudaMemPrefetchAsync_v12020, devPtr, count, location, flags, stream)
      .run([&](Session& session) {
        const bool managed = session.machine.locate(devPtr).kind == MemoryKind::kManaged;
        return managed ? cudaSuccess : cudaErrorInvalidValue;
      });
}

cudaError_t cudaMemAdvise(const void* devPtr, size_t count, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return XFER_CALL(cudaMemAdvise_v12020, devPtr, count, advice, location)
      .run([&](Session& session) {
        const bool managed = session.machine.locate(devPtr).kind == MemoryKind::kManaged;
        return managed ? cudaSuccess : cudaErrorInvalidValue;
      });
}
}
