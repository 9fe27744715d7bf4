// Texture and surface objects.

#include <cuda_runtime_api.h>

#include <map>
#include <utility>

#include "cudart/api_call.h"
#include "cudart/texture_object.h"
#include "texture/objects.h"

using namespace xfer::emulator;

namespace {

/// The descriptors that a program gave, kept to give them back.
struct Description {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
  cudaResourceViewDesc view;
};
using Descriptions = std::map<unsigned long long, Description>;

// With the machine's lock held.
Descriptions& described_textures() {
  static auto* const all = new Descriptions;
  return *all;
}
Descriptions& described_surfaces() {
  static auto* const all = new Descriptions;
  return *all;
}

template <typename Part>
cudaError_t get(const Descriptions& all, unsigned long long object, Part Description::* part,
                Part* to) {
  const auto found = all.find(object);
  if (to == nullptr || found == all.end()) return cudaErrorInvalidValue;
  *to = found->second.*part;
  return cudaSuccess;
}

template <typename Object>
cudaError_t destroy(texture::Table<Object>& objects, Descriptions& all, unsigned long long object) {
  if (object == 0) return cudaSuccess;
  all.erase(object);
  return objects.remove(object) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* pTexObject,
                                    const cudaResourceDesc* pResDesc,
                                    const cudaTextureDesc* pTexDesc,
                                    const cudaResourceViewDesc* pResViewDesc) {
  return XFER_CALL(cudaCreateTextureObject_v5000, pTexObject, pResDesc, pTexDesc, pResViewDesc)
      .run([&](Session& session) {
        if (pTexObject == nullptr || pResDesc == nullptr || pTexDesc == nullptr)
          return cudaErrorInvalidValue;
        texture::Texture texture;
        const cudaError_t error =
            make_texture(session.machine, *pResDesc, *pTexDesc, pResViewDesc, &texture);
        if (error != cudaSuccess) return error;
        *pTexObject = texture::textures().add(std::move(texture));
        described_textures()[*pTexObject] = {
            *pResDesc, *pTexDesc, pResViewDesc != nullptr ? *pResViewDesc : cudaResourceViewDesc{}};
        return cudaSuccess;
      });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject) {
  return XFER_CALL(cudaDestroyTextureObject_v5000, texObject).run([&](Session&) {
    return destroy(texture::textures(), described_textures(), texObject);
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* pResDesc,
                                             cudaTextureObject_t texObject) {
  return XFER_CALL(cudaGetTextureObjectResourceDesc_v5000, pResDesc, texObject).run([&](Session&) {
    return get(described_textures(), texObject, &Description::resource, pResDesc);
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* pTexDesc,
                                            cudaTextureObject_t texObject) {
  return XFER_CALL(cudaGetTextureObjectTextureDesc_v5000, pTexDesc, texObject).run([&](Session&) {
    return get(described_textures(), texObject, &Description::texture, pTexDesc);
  });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* pResViewDesc,
                                                 cudaTextureObject_t texObject) {
  return XFER_CALL(cudaGetTextureObjectResourceViewDesc_v5000, pResViewDesc, texObject)
      .run([&](Session&) {
        return get(described_textures(), texObject, &Description::view, pResViewDesc);
      });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* pSurfObject,
                                    const cudaResourceDesc* pResDesc) {
  return XFER_CALL(cudaCreateSurfaceObject_v5000, pSurfObject, pResDesc).run([&](Session& session) {
    if (pSurfObject == nullptr || pResDesc == nullptr) return cudaErrorInvalidValue;
    texture::Surface surface;
    if (const auto error = make_surface(session.machine, *pResDesc, &surface); error != cudaSuccess)
      return error;
    *pSurfObject = texture::surfaces().add(surface);
    described_surfaces()[*pSurfObject] = {*pResDesc, {}, {}};
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject) {
  return XFER_CALL(cudaDestroySurfaceObject_v5000, surfObject).run([&](Session&) {
    return destroy(texture::surfaces(), described_surfaces(), surfObject);
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* pResDesc,
                                             cudaSurfaceObject_t surfObject) {
  return XFER_CALL(cudaGetSurfaceObjectResourceDesc_v5000, pResDesc, surfObject).run([&](Session&) {
    return get(described_surfaces(), surfObject, &Description::resource, pResDesc);
  });
}
}
