#include "cudart/texture_limits.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace xfer::emulator {
namespace {

constexpr int k1D = 131072;
constexpr int k2D[] = {131072, 65536};
constexpr int k3D = 16384;
constexpr int kSmall = 32768;  // mipmapped, layered, gathered, of a cube
constexpr int kLayers = 2048;
constexpr int kCubeLayers = 2046;
constexpr int kLinear2D[] = {131072, 65000, 2097120};  // width, height, pitch

template <std::size_t kCount>
void set(int (&to)[kCount], const int (&values)[kCount]) {
  std::copy(std::begin(values), std::end(values), to);
}

bool within(std::size_t size, int most) {
  return size >= 1 && size <= static_cast<std::size_t>(most);
}

}  // namespace

void set_texture_limits(cudaDeviceProp* properties) {
  cudaDeviceProp& p = *properties;
  p.maxTexture1D = k1D;
  p.maxTexture1DMipmap = p.maxTextureCubemap = p.maxSurface1D = p.maxSurfaceCubemap = kSmall;
  set(p.maxTexture2D, k2D);
  set(p.maxSurface2D, k2D);
  set(p.maxTexture2DMipmap, {kSmall, kSmall});
  set(p.maxTexture2DGather, {kSmall, kSmall});
  set(p.maxTexture2DLinear, kLinear2D);
  set(p.maxTexture3D, {k3D, k3D, k3D});
  set(p.maxTexture3DAlt, {k3D / 2, k3D / 2, kSmall});
  set(p.maxSurface3D, {k3D, k3D, k3D});
  set(p.maxTexture1DLayered, {kSmall, kLayers});
  set(p.maxSurface1DLayered, {kSmall, kLayers});
  set(p.maxTexture2DLayered, {kSmall, kSmall, kLayers});
  set(p.maxSurface2DLayered, {kSmall, kSmall, kLayers});
  set(p.maxTextureCubemapLayered, {kSmall, kCubeLayers});
  set(p.maxSurfaceCubemapLayered, {kSmall, kCubeLayers});
}

bool texture_attribute(cudaDeviceAttr attribute, int* value) {
  switch (attribute) {
    case cudaDevAttrMaxTexture1DWidth: *value = k1D; break;
    case cudaDevAttrMaxTexture1DLinearWidth: *value = kMostTexelsOfBuffer; break;
    case cudaDevAttrMaxTexture2DWidth:
    case cudaDevAttrMaxSurface2DWidth: *value = k2D[0]; break;
    case cudaDevAttrMaxTexture2DHeight:
    case cudaDevAttrMaxSurface2DHeight: *value = k2D[1]; break;
    case cudaDevAttrMaxTexture2DLinearWidth: *value = kLinear2D[0]; break;
    case cudaDevAttrMaxTexture2DLinearHeight: *value = kLinear2D[1]; break;
    case cudaDevAttrMaxTexture2DLinearPitch: *value = kLinear2D[2]; break;
    case cudaDevAttrMaxTexture3DWidth:
    case cudaDevAttrMaxTexture3DHeight:
    case cudaDevAttrMaxTexture3DDepth:
    case cudaDevAttrMaxSurface3DWidth:
    case cudaDevAttrMaxSurface3DHeight:
    case cudaDevAttrMaxSurface3DDepth: *value = k3D; break;
    case cudaDevAttrMaxTexture3DWidthAlt:
    case cudaDevAttrMaxTexture3DHeightAlt: *value = k3D / 2; break;
    case cudaDevAttrMaxTexture3DDepthAlt:
    case cudaDevAttrMaxTexture1DMipmappedWidth:
    case cudaDevAttrMaxTexture2DMipmappedWidth:
    case cudaDevAttrMaxTexture2DMipmappedHeight:
    case cudaDevAttrMaxTexture2DGatherWidth:
    case cudaDevAttrMaxTexture2DGatherHeight:
    case cudaDevAttrMaxTexture1DLayeredWidth:
    case cudaDevAttrMaxTexture2DLayeredWidth:
    case cudaDevAttrMaxTexture2DLayeredHeight:
    case cudaDevAttrMaxTextureCubemapWidth:
    case cudaDevAttrMaxTextureCubemapLayeredWidth:
    case cudaDevAttrMaxSurface1DWidth:
    case cudaDevAttrMaxSurface1DLayeredWidth:
    case cudaDevAttrMaxSurface2DLayeredWidth:
    case cudaDevAttrMaxSurface2DLayeredHeight:
    case cudaDevAttrMaxSurfaceCubemapWidth:
    case cudaDevAttrMaxSurfaceCubemapLayeredWidth: *value = kSmall; break;
    case cudaDevAttrMaxTexture1DLayeredLayers:
    case cudaDevAttrMaxTexture2DLayeredLayers:
    case cudaDevAttrMaxSurface1DLayeredLayers:
    case cudaDevAttrMaxSurface2DLayeredLayers: *value = kLayers; break;
    case cudaDevAttrMaxTextureCubemapLayeredLayers:
    case cudaDevAttrMaxSurfaceCubemapLayeredLayers: *value = kCubeLayers; break;
    case cudaDevAttrTexturePitchAlignment: *value = 32; break;
    case cudaDevAttrSurfaceAlignment: *value = 512; break;
    default: return false;
  }
  return true;
}

bool fits_texture_limits(cudaExtent extent, unsigned flags) {
  const bool layered = (flags & cudaArrayLayered) != 0;
  const bool flat = extent.height == 0;
  if ((flags & cudaArrayTextureGather) != 0 && (flat || layered || extent.depth != 0)) return false;
  if ((flags & cudaArrayCubemap) != 0) {
    if (flat || extent.width != extent.height || !within(extent.width, kSmall)) return false;
    return layered ? extent.depth % 6 == 0 && within(extent.depth, kCubeLayers) : extent.depth == 6;
  }
  if (layered)
    return within(extent.width, kSmall) && (flat || within(extent.height, kSmall)) &&
           within(extent.depth, kLayers);
  if (extent.depth != 0)
    return within(extent.width, k3D) && within(extent.height, k3D) && within(extent.depth, k3D);
  return flat ? within(extent.width, k1D)
              : within(extent.width, k2D[0]) && within(extent.height, k2D[1]);
}

}  // namespace xfer::emulator
