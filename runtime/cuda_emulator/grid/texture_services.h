#pragma once
// The services that read and write textures and surfaces. kernels::Services says what each
// returns.

#include "kernels/frame.h"

namespace xfer::emulator::grid {

void read_texture(kernels::Thread* thread, const kernels::TextureRead* request,
                  std::uint32_t* texel);
void read_surface(kernels::Thread* thread, const kernels::SurfaceAccess* access,
                  std::byte* elements);
void write_surface(kernels::Thread* thread, const kernels::SurfaceAccess* access,
                   const std::byte* elements);
std::uint32_t query_texture(kernels::Thread* thread, std::uint64_t texture,
                            kernels::ImageQuery what, std::uint32_t level);
std::uint32_t query_surface(kernels::Thread* thread, std::uint64_t surface,
                            kernels::ImageQuery what);

/// The failures of a grid that misuses them.
inline constexpr const char* kNoSuchTexture = "a texture object that does not exist is read";
inline constexpr const char* kNoSuchSurface = "a surface object that does not exist is used";
inline constexpr const char* kBeyondSurface = "an access beyond a surface's edge";

}  // namespace xfer::emulator::grid
