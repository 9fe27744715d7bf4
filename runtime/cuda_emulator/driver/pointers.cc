// Queries about an address.

#include "driver/contexts.h"

using namespace xfer::emulator::driver;

namespace {

struct Address {
  cudaPointerAttributes its{};
  std::uintptr_t begin = 0;
  std::uint64_t bytes = 0;
};

CUresult look_up(CUdeviceptr address, Address* found) {
  const CUresult error =
      forward([&] { return cudaPointerGetAttributes(&found->its, pointer(address)); });
  if (error != CUDA_SUCCESS) return error;
  if (found->its.type == cudaMemoryTypeUnregistered) return CUDA_ERROR_INVALID_VALUE;
  if (!xfer_emulator_allocation(pointer(address), &found->begin, &found->bytes))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

template <typename Value>
CUresult give(void* data, Value value) {
  *static_cast<Value*>(data) = value;
  return CUDA_SUCCESS;
}

CUresult give(void* data, CUpointer_attribute attribute, CUdeviceptr address, const Address& of) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return give(data, handle_of(primary_context(of.its.device)));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return give(data,
                  of.its.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return give(data, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (of.its.hostPointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
      return give(data, of.its.hostPointer);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: return give(data, 0u);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return give(data, static_cast<unsigned long long>(of.begin));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return give(data, of.its.type == cudaMemoryTypeManaged ? 1u : 0u);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return give(data, of.its.device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return give(data, static_cast<CUdeviceptr>(of.begin));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return give(data, static_cast<size_t>(of.bytes));
    case CU_POINTER_ATTRIBUTE_MAPPED: return give(data, 1u);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return give(data, static_cast<unsigned>(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE));
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return give(data, CUmemoryPool{nullptr});
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: return give(data, 0u);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return give(data, static_cast<unsigned long long>(CU_MEM_HANDLE_TYPE_NONE));
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

extern "C" {

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  Address found;
  if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = look_up(ptr, &found); error != CUDA_SUCCESS) return error;
  return give(data, attribute, ptr, found);
}

// Of memory that CUDA does not know, all are zero.
CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes,
                                void** data, CUdeviceptr ptr) {
  if (attributes == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Address found;
  const bool known = look_up(ptr, &found) == CUDA_SUCCESS;
  for (unsigned i = 0; i < numAttributes; ++i) {
    if (known && give(data[i], attributes[i], ptr, found) == CUDA_SUCCESS) continue;
    switch (attributes[i]) {
      case CU_POINTER_ATTRIBUTE_CONTEXT:
      case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: give(data[i], std::uint64_t{0}); break;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: give(data[i], -2); break;
      default: give(data[i], 0u);
    }
  }
  return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr) {
  std::uintptr_t begin = 0;
  std::uint64_t bytes = 0;
  if (!xfer_emulator_allocation(pointer(dptr), &begin, &bytes)) return CUDA_ERROR_NOT_FOUND;
  if (pbase != nullptr) *pbase = begin;
  if (psize != nullptr) *psize = bytes;
  return CUDA_SUCCESS;
}
}
