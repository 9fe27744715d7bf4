#pragma once
// From the descriptions that programs give to what kernels read: textures and surfaces.

#include <driver_types.h>
#include <texture_types.h>

#include "machine/machine.h"
#include "texture/texture.h"

namespace xfer::emulator {

// With the machine's lock held.

/// `view` may be null.
cudaError_t make_texture(const Machine& machine, const cudaResourceDesc& resource,
                         const cudaTextureDesc& how, const cudaResourceViewDesc* view,
                         texture::Texture* made);
cudaError_t make_surface(const Machine& machine, const cudaResourceDesc& resource,
                         texture::Surface* made);

}  // namespace xfer::emulator
