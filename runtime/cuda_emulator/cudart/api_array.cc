// CUDA arrays: made, freed, asked.

#include <cuda_runtime_api.h>

#include "cudart/array.h"
#include "cudart/texture_limits.h"
#include "machine/cost_model.h"

using namespace xfer::emulator;

namespace {

/// As cudaFree does, it waits for the device.
template <typename Handle>
cudaError_t free_waiting(Session& session, Handle handle, int device) {
  Machine& machine = session.machine;
  machine.scheduler().finish_device(session.lock, device);
  machine.wait_until(machine.device_ready_ns(device));
  machine.spend(cost::kFreeNs);
  return free_array(machine, handle) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags) {
  return XFER_CALL(cudaMallocArray_v3020, array, desc, width, height, flags)
      .run([&](Session& session) {
        session.machine.spend(cost::kMallocNs);
        if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0) return cudaErrorInvalidValue;
        return make_array(session, desc, {width, height, 0}, flags, array);
      });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned int flags) {
  return XFER_CALL(cudaMalloc3DArray_v3020, array, desc, extent, flags).run([&](Session& session) {
    session.machine.spend(cost::kMallocNs);
    return make_array(session, desc, extent, flags, array);
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return XFER_CALL(cudaFreeArray_v3020, array).run([&](Session& session) {
    if (array == nullptr) return cudaSuccess;
    const Array* const its = find_array(array);
    return its == nullptr ? cudaErrorInvalidValue : free_waiting(session, array, its->device);
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* mipmappedArray,
                                     const cudaChannelFormatDesc* desc, cudaExtent extent,
                                     unsigned int numLevels, unsigned int flags) {
  return XFER_CALL(cudaMallocMipmappedArray_v5000, mipmappedArray, desc, extent, numLevels, flags)
      .run([&](Session& session) {
        session.machine.spend(cost::kMallocNs);
        return make_array(session, desc, extent, numLevels, flags, mipmappedArray);
      });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* levelArray,
                                       cudaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level) {
  return XFER_CALL(cudaGetMipmappedArrayLevel_v5000, levelArray, mipmappedArray, level)
      .run([&](Session&) {
        const MipmappedArray* const all = find_array(mipmappedArray);
        if (all == nullptr) return cudaErrorInvalidResourceHandle;
        if (levelArray == nullptr || level >= all->levels.size()) return cudaErrorInvalidValue;
        *levelArray = all->levels[level];
        return cudaSuccess;
      });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray) {
  return XFER_CALL(cudaFreeMipmappedArray_v5000, mipmappedArray).run([&](Session& session) {
    if (mipmappedArray == nullptr) return cudaSuccess;
    const MipmappedArray* const all = find_array(mipmappedArray);
    if (all == nullptr) return cudaErrorInvalidValue;
    return free_waiting(session, mipmappedArray, find_array(all->levels[0])->device);
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  return XFER_CALL(cudaArrayGetInfo_v4010, desc, extent, flags, array).run([&](Session&) {
    const Array* const its = find_array(array);
    if (its == nullptr) return cudaErrorInvalidValue;
    if (desc != nullptr) *desc = its->channels;
    if (extent != nullptr) *extent = its->extent;
    if (flags != nullptr) *flags = its->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  return XFER_CALL(cudaGetChannelDesc_v3020, desc, array).run([&](Session&) {
    const Array* const its = find_array(array);
    if (desc == nullptr || its == nullptr) return cudaErrorInvalidValue;
    *desc = its->channels;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements,
                                                 const cudaChannelFormatDesc* fmtDesc, int device) {
  return XFER_CALL(cudaDeviceGetTexture1DLinearMaxWidth_v11010, maxWidthInElements, fmtDesc, device)
      .run([&](Session& session) {
        if (maxWidthInElements == nullptr || fmtDesc == nullptr) return cudaErrorInvalidValue;
        if (device < 0 || device >= session.machine.device_count()) return cudaErrorInvalidDevice;
        *maxWidthInElements = kMostTexelsOfBuffer;
        return cudaSuccess;
      });
}
}
