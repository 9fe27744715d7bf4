// Pools that stream-ordered allocation takes memory from. Their structures and numbers are the
// runtime's.

#include "driver/driver.h"

using namespace xfer::emulator::driver;

extern "C" {

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
  return forward([&] { return cudaDeviceGetDefaultMemPool(pool_out, dev); });
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
  return forward([&] { return cudaDeviceGetMemPool(pool, dev); });
}
CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
  return forward([&] { return cudaDeviceSetMemPool(dev, pool); });
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
  static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps));
  return forward([&] {
    return cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(poolProps));
  });
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return forward([&] { return cudaMemPoolDestroy(pool); });
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
  return forward(
      [&] { return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attr), value); });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
  return forward(
      [&] { return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attr), value); });
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep) {
  return forward([&] { return cudaMemPoolTrimTo(pool, minBytesToKeep); });
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, size_t count) {
  static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));
  return forward([&] {
    return cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(map), count);
  });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool,
                            CUmemLocation* location) {
  return forward([&] {
    return cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags*>(flags), memPool,
                                reinterpret_cast<cudaMemLocation*>(location));
  });
}
}
