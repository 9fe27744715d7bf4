// Surfaces, whose first coordinate counts bytes, and what is asked about images.

#include <algorithm>

#include "texture/fetch.h"

namespace xfer::emulator::texture {

using kernels::Geometry;
using kernels::ImageQuery;
using kernels::SurfaceAccess;

std::byte* place(const Surface& surface, const SurfaceAccess& access) {
  const Image& image = surface.image;
  const std::int64_t row_bytes = std::int64_t{image.width} * image.texel_bytes;
  const std::int64_t most[3] = {row_bytes - access.bytes, std::int64_t{image.height} - 1,
                                std::int64_t{image.slices} - 1};
  std::int64_t at[3] = {access.coordinates[0], access.coordinates[1], access.coordinates[2]};
  if (access.geometry != Geometry::k3D) at[2] = access.layer;
  for (unsigned i = 0; i < 3; ++i) {
    if (access.outside == SurfaceAccess::Outside::kClamp)
      at[i] = std::max<std::int64_t>(0, std::min(at[i], most[i]));
    if (at[i] < 0 || at[i] > most[i]) return nullptr;
  }
  return image.row(static_cast<std::uint64_t>(at[1]), static_cast<std::uint64_t>(at[2])) + at[0];
}

std::uint32_t query(const Image& image, ImageQuery what) {
  switch (what) {
    case ImageQuery::kWidth: return image.width;
    case ImageQuery::kHeight: return image.height;
    case ImageQuery::kDepth: return image.layered ? 1 : image.slices;
    case ImageQuery::kLayers: return image.layered ? image.slices : 1;
    case ImageQuery::kLevels: return 1;
    case ImageQuery::kNormalized: break;
  }
  return 0;
}

std::uint32_t query(const Texture& texture, ImageQuery what, std::uint32_t level) {
  if (what == ImageQuery::kLevels) return static_cast<std::uint32_t>(texture.levels.size());
  if (what == ImageQuery::kNormalized) return texture.normalized ? 1 : 0;
  return query(texture.levels[std::min<std::size_t>(level, texture.levels.size() - 1)], what);
}

}  // namespace xfer::emulator::texture
