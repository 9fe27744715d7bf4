// Memory of devices and of the host.

#include "driver/driver.h"

using namespace xfer::emulator::driver;

namespace {

/// `allocate(void**)` of the runtime. The driver gives nothing for no bytes.
template <typename Allocate>
CUresult make(CUdeviceptr* address, size_t bytes, Allocate&& allocate) {
  if (address == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* memory = nullptr;
  const CUresult error = forward([&] { return allocate(&memory); });
  *address = reinterpret_cast<CUdeviceptr>(memory);
  return error;
}

}  // namespace

extern "C" {

CUresult cuMemAlloc(CUdeviceptr* dptr, size_t bytesize) {
  return make(dptr, bytesize, [&](void** memory) { return cudaMalloc(memory, bytesize); });
}
CUresult cuMemAllocPitch(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes) {
  if (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16)
    return CUDA_ERROR_INVALID_VALUE;
  return make(dptr, WidthInBytes * Height,
              [&](void** memory) { return cudaMallocPitch(memory, pPitch, WidthInBytes, Height); });
}
CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  return make(dptr, bytesize,
              [&](void** memory) { return cudaMallocManaged(memory, bytesize, flags); });
}
CUresult cuMemFree(CUdeviceptr dptr) {
  return forward([&] { return cudaFree(pointer(dptr)); });
}

CUresult cuMemAllocHost(void** pp, size_t bytesize) {
  return forward([&] { return cudaMallocHost(pp, bytesize); });
}
CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  return forward([&] { return cudaHostAlloc(pp, bytesize, Flags); });
}
CUresult cuMemFreeHost(void* p) {
  return forward([&] { return cudaFreeHost(p); });
}
CUresult cuMemHostRegister(void* p, size_t bytesize, unsigned int Flags) {
  return forward([&] { return cudaHostRegister(p, bytesize, Flags); });
}
CUresult cuMemHostUnregister(void* p) {
  return forward([&] { return cudaHostUnregister(p); });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* pdptr, void* p, unsigned int Flags) {
  return make(pdptr, 1, [&](void** memory) { return cudaHostGetDevicePointer(memory, p, Flags); });
}
CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p) {
  return forward([&] { return cudaHostGetFlags(pFlags, p); });
}

CUresult cuMemGetInfo(size_t* free, size_t* total) {
  return forward([&] { return cudaMemGetInfo(free, total); });
}
CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                     CUmemLocation location) {
  return forward([&] {
    return cudaMemAdvise(pointer(devPtr), count, static_cast<cudaMemoryAdvise>(advice),
                         {static_cast<cudaMemLocationType>(location.type), location.id});
  });
}
}
