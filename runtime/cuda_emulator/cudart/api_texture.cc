// Texture objects of linear memory. Arrays are not emulated, nor is reading through a texture: a
// kernel that does has no host version.

#include <cuda_runtime_api.h>

#include <map>

#include "cudart/api_call.h"

using namespace xfer::emulator;

namespace {

struct Texture {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};

/// With the machine's lock held.
std::map<cudaTextureObject_t, Texture>& textures() {
  static auto* const all = new std::map<cudaTextureObject_t, Texture>;
  return *all;
}

cudaError_t create(Session& session, cudaTextureObject_t* object, const cudaResourceDesc* resource,
                   const cudaTextureDesc* texture) {
  static cudaTextureObject_t last = 0;
  if (object == nullptr || resource == nullptr || texture == nullptr) return cudaErrorInvalidValue;
  const bool linear = resource->resType == cudaResourceTypeLinear;
  if (!linear && resource->resType != cudaResourceTypePitch2D) {
    return xfer_emulator_not_supported("cudaCreateTextureObject of an array");
  }
  const void* const memory = linear ? resource->res.linear.devPtr : resource->res.pitch2D.devPtr;
  const Place place = session.machine.locate(memory);
  if (place.dangling || place.kind == MemoryKind::kPageable) return cudaErrorInvalidValue;
  *object = ++last;
  textures()[last] = {*resource, *texture};
  return cudaSuccess;
}

template <typename Part>
cudaError_t get(cudaTextureObject_t object, Part Texture::* part, Part* to) {
  const auto found = textures().find(object);
  if (to == nullptr || found == textures().end()) return cudaErrorInvalidValue;
  *to = found->second.*part;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* pTexObject,
                                    const cudaResourceDesc* pResDesc,
                                    const cudaTextureDesc* pTexDesc,
                                    const cudaResourceViewDesc* pResViewDesc) {
  return XFER_CALL(cudaCreateTextureObject_v5000, pTexObject, pResDesc, pTexDesc, pResViewDesc)
      .run([&](Session& session) { return create(session, pTexObject, pResDesc, pTexDesc); });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject) {
  return XFER_CALL(cudaDestroyTextureObject_v5000, texObject).run([&](Session&) {
    return texObject == 0 || textures().erase(texObject) != 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* pResDesc,
                                             cudaTextureObject_t texObject) {
  return XFER_CALL(cudaGetTextureObjectResourceDesc_v5000, pResDesc, texObject).run([&](Session&) {
    return get(texObject, &Texture::resource, pResDesc);
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* pTexDesc,
                                            cudaTextureObject_t texObject) {
  return XFER_CALL(cudaGetTextureObjectTextureDesc_v5000, pTexDesc, texObject).run([&](Session&) {
    return get(texObject, &Texture::texture, pTexDesc);
  });
}
}
