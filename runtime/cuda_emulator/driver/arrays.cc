// CUDA arrays, texture and surface objects: the runtime's, described in the driver's words.

#include <cstring>

#include "driver/driver.h"

using namespace xfer::emulator::driver;

namespace {

cudaChannelFormatDesc channels_of(CUarray_format format, unsigned count) {
  const auto of = [&](int bits, cudaChannelFormatKind kind) {
    const auto has = [&](unsigned channel) { return count >= channel ? bits : 0; };
    return cudaChannelFormatDesc{has(1), has(2), has(3), has(4), kind};
  };
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8: return of(8, cudaChannelFormatKindUnsigned);
    case CU_AD_FORMAT_UNSIGNED_INT16: return of(16, cudaChannelFormatKindUnsigned);
    case CU_AD_FORMAT_UNSIGNED_INT32: return of(32, cudaChannelFormatKindUnsigned);
    case CU_AD_FORMAT_SIGNED_INT8: return of(8, cudaChannelFormatKindSigned);
    case CU_AD_FORMAT_SIGNED_INT16: return of(16, cudaChannelFormatKindSigned);
    case CU_AD_FORMAT_SIGNED_INT32: return of(32, cudaChannelFormatKindSigned);
    case CU_AD_FORMAT_HALF: return of(16, cudaChannelFormatKindFloat);
    case CU_AD_FORMAT_FLOAT: return of(32, cudaChannelFormatKindFloat);
    default: return {};  // no channels: the runtime refuses it
  }
}

cudaArray_t array_of(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }

CUresult make_array(CUarray* array, CUarray_format format, unsigned channels, cudaExtent extent,
                    unsigned flags) {
  const cudaChannelFormatDesc its = channels_of(format, channels);
  return forward([&] {
    return cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(array), &its, extent, flags);
  });
}

/// Of resources that are not emulated nothing is filled in: the runtime refuses them.
cudaResourceDesc resource_of(const CUDA_RESOURCE_DESC& d) {
  cudaResourceDesc to{};
  to.resType = static_cast<cudaResourceType>(d.resType);
  const auto& its = d.res;
  switch (d.resType) {
    case CU_RESOURCE_TYPE_ARRAY: to.res.array.array = array_of(its.array.hArray); break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to.res.mipmap.mipmap = reinterpret_cast<cudaMipmappedArray_t>(its.mipmap.hMipmappedArray);
      break;
    case CU_RESOURCE_TYPE_LINEAR:
      to.res.linear = {pointer(its.linear.devPtr),
                       channels_of(its.linear.format, its.linear.numChannels),
                       its.linear.sizeInBytes};
      break;
    case CU_RESOURCE_TYPE_PITCH2D:
      to.res.pitch2D = {pointer(its.pitch2D.devPtr),
                        channels_of(its.pitch2D.format, its.pitch2D.numChannels), its.pitch2D.width,
                        its.pitch2D.height, its.pitch2D.pitchInBytes};
      break;
  }
  return to;
}

/// How a texel of integers is read: as a number from 0 to 1, unless the flag says as it is.
bool is_normalized_integer(const CUDA_RESOURCE_DESC& d, unsigned flags) {
  if ((flags & CU_TRSF_READ_AS_INTEGER) != 0) return false;
  cudaChannelFormatDesc its{};
  const cudaResourceDesc resource = resource_of(d);
  if (d.resType == CU_RESOURCE_TYPE_LINEAR) its = resource.res.linear.desc;
  if (d.resType == CU_RESOURCE_TYPE_PITCH2D) its = resource.res.pitch2D.desc;
  if (d.resType == CU_RESOURCE_TYPE_ARRAY)
    cudaArrayGetInfo(&its, nullptr, nullptr, resource.res.array.array);
  return its.f != cudaChannelFormatKindFloat && its.x < 32;
}

cudaTextureDesc texture_of(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& d) {
  cudaTextureDesc to{};
  for (int i = 0; i < 3; ++i)
    to.addressMode[i] = static_cast<cudaTextureAddressMode>(d.addressMode[i]);
  to.filterMode = static_cast<cudaTextureFilterMode>(d.filterMode);
  to.readMode = is_normalized_integer(resource, d.flags) ? cudaReadModeNormalizedFloat
                                                         : cudaReadModeElementType;
  to.normalizedCoords = (d.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
  to.sRGB = (d.flags & CU_TRSF_SRGB) != 0 ? 1 : 0;
  to.disableTrilinearOptimization = (d.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0 ? 1 : 0;
  to.maxAnisotropy = d.maxAnisotropy;
  to.mipmapFilterMode = static_cast<cudaTextureFilterMode>(d.mipmapFilterMode);
  to.mipmapLevelBias = d.mipmapLevelBias;
  to.minMipmapLevelClamp = d.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = d.maxMipmapLevelClamp;
  std::memcpy(to.borderColor, d.borderColor, sizeof(to.borderColor));
  return to;
}

}  // namespace

extern "C" {

CUresult cuArrayCreate(CUarray* pHandle, const CUDA_ARRAY_DESCRIPTOR* its) {
  if (its == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return make_array(pHandle, its->Format, its->NumChannels, {its->Width, its->Height, 0}, 0);
}
// The flags have the runtime's numbers.
CUresult cuArray3DCreate(CUarray* pHandle, const CUDA_ARRAY3D_DESCRIPTOR* its) {
  if (its == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return make_array(pHandle, its->Format, its->NumChannels, {its->Width, its->Height, its->Depth},
                    its->Flags);
}
CUresult cuArrayDestroy(CUarray hArray) {
  return forward([&] { return cudaFreeArray(array_of(hArray)); });
}

CUresult cuTexObjectCreate(CUtexObject* pTexObject, const CUDA_RESOURCE_DESC* pResDesc,
                           const CUDA_TEXTURE_DESC* pTexDesc,
                           const CUDA_RESOURCE_VIEW_DESC* pResViewDesc) {
  if (pResDesc == nullptr || pTexDesc == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // A view is laid out as the runtime's is, and has its numbers.
  return forward([&] {
    const cudaResourceDesc resource = resource_of(*pResDesc);
    const cudaTextureDesc texture = texture_of(*pResDesc, *pTexDesc);
    return cudaCreateTextureObject(pTexObject, &resource, &texture,
                                   reinterpret_cast<const cudaResourceViewDesc*>(pResViewDesc));
  });
}
CUresult cuTexObjectDestroy(CUtexObject texObject) {
  return forward([&] { return cudaDestroyTextureObject(texObject); });
}
CUresult cuSurfObjectCreate(CUsurfObject* pSurfObject, const CUDA_RESOURCE_DESC* pResDesc) {
  if (pResDesc == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return forward([&] {
    const cudaResourceDesc resource = resource_of(*pResDesc);
    return cudaCreateSurfaceObject(pSurfObject, &resource);
  });
}
CUresult cuSurfObjectDestroy(CUsurfObject surfObject) {
  return forward([&] { return cudaDestroySurfaceObject(surfObject); });
}
}
