// Allocation: device, pitched, pinned, registered, managed; and what an address is.

#include <cuda_runtime_api.h>

#include "cudart/api_call.h"
#include "cudart/stream_memory.h"
#include "machine/cost_model.h"

using namespace xfer::emulator;

namespace {

constexpr size_t kPitch = 512;

cudaError_t allocate_host(Session& session, void** pointer, size_t bytes, HostKind kind,
                          unsigned flags) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return kind == HostKind::kManaged ? cudaErrorInvalidValue : cudaSuccess;
  session.machine.spend(cost::kMallocNs + bytes / 4096 * cost::kPinNsPerPage);
  *pointer = session.machine.host_memory().allocate(bytes, kind, flags, session.thread.device);
  return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaMemoryType type_of(const AddressInfo& place) {
  switch (place.kind) {
    case MemoryKind::kPageable: return cudaMemoryTypeUnregistered;
    case MemoryKind::kPinned: return cudaMemoryTypeHost;
    case MemoryKind::kArray:
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
    return allocate_device(session, devPtr, size);
  });
}

cudaError_t cudaFree(void* devPtr) {
  return XFER_CALL(cudaFree_v3020, devPtr).run([&](Session& session) {
    Machine& machine = session.machine;
    if (devPtr == nullptr) return cudaSuccess;
    const AddressInfo place = machine.locate(devPtr);
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
    if (GraphMemory* const memory = GraphMemory::at(address)) {
      if (!memory->used()) return cudaErrorInvalidValue;
      memory->use(false);
      return cudaSuccess;
    }
    take_from_pool(address);
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
    return allocate_device(session, devPtr, row * height);
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
    return allocate_device(session, &pitchedDevPtr->ptr, bytes);
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
    const AddressInfo place = session.machine.locate(ptr);
    if (place.kind != MemoryKind::kPinned) return cudaErrorInvalidValue;
    session.machine.scheduler().finish_all(session.lock);
    session.machine.host_watch().release(place.begin, place.begin + place.bytes);
    session.machine.spend(cost::kFreeNs);
    return session.machine.host_memory().release(ptr, false) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags) {
  return XFER_CALL(cudaHostRegister_v4000, ptr, size, flags).run([&](Session& session) {
    Machine& machine = session.machine;
    constexpr unsigned kKnown =
        cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    if ((flags & cudaHostRegisterIoMemory) != 0) return cudaErrorNotSupported;
    if ((flags & ~kKnown) != 0) return cudaErrorInvalidValue;
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
    const AddressInfo place = session.machine.locate(ptr);
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
}
