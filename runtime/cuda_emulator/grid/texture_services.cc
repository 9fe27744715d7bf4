#include "grid/texture_services.h"

#include <cstring>

#include "grid/grid_run.h"
#include "texture/fetch.h"
#include "texture/objects.h"

namespace xfer::emulator::grid {
namespace {

using kernels::SurfaceAccess;
using kernels::Thread;

// None of these lets others run, and all that they touch is the program's memory: they count as the
// kernel's own code, whose faults lose the device.

void give_up(const char* why) {
  GridRun::current().fail(why);
  GridRun::current().leave();
}

template <typename T>
const T& existing(const T* object, const char* otherwise) {
  if (object == nullptr) give_up(otherwise);
  return *object;
}

/// Null: what is read there is 0, and what is written is lost.
std::byte* place(const SurfaceAccess& access) {
  std::byte* const at =
      texture::place(existing(texture::surfaces().find(access.surface), kNoSuchSurface), access);
  if (at == nullptr && access.outside != SurfaceAccess::Outside::kZero) give_up(kBeyondSurface);
  return at;
}

}  // namespace

void read_texture(Thread*, const kernels::TextureRead* request, std::uint32_t* texel) {
  const texture::Texture& its =
      existing(texture::textures().find(request->texture), kNoSuchTexture);
  const texture::Words words = texture::read(its, *request);
  std::memcpy(texel, &words, sizeof(words));
}

void read_surface(Thread*, const SurfaceAccess* access, std::byte* elements) {
  if (const std::byte* const at = place(*access))
    std::memcpy(elements, at, access->bytes);
  else
    std::memset(elements, 0, access->bytes);
}

void write_surface(Thread*, const SurfaceAccess* access, const std::byte* elements) {
  if (std::byte* const at = place(*access)) std::memcpy(at, elements, access->bytes);
}

std::uint32_t query_texture(Thread*, std::uint64_t texture, kernels::ImageQuery what,
                            std::uint32_t level) {
  return texture::query(existing(texture::textures().find(texture), kNoSuchTexture), what, level);
}

std::uint32_t query_surface(Thread*, std::uint64_t surface, kernels::ImageQuery what) {
  return texture::query(existing(texture::surfaces().find(surface), kNoSuchSurface).image, what);
}

}  // namespace xfer::emulator::grid
