#pragma once
// Reads and writes of texture and surface instructions.

#include <cstddef>
#include <cstdint>

#include "kernels/frame.h"
#include "texture/texture.h"

namespace xfer::emulator::texture {

/// tex and tld4.
Words read(const Texture& texture, const kernels::TextureRead& request);
/// txq and suq.
std::uint32_t query(const Image& image, kernels::ImageQuery what);
std::uint32_t query(const Texture& texture, kernels::ImageQuery what, std::uint32_t level);
/// Where suld and sust read and write; null: outside. An access that clamps is inside always, if
/// the surface is large enough.
std::byte* place(const Surface& surface, const kernels::SurfaceAccess& access);

}  // namespace xfer::emulator::texture
