// Kernels that read textures and surfaces.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "grid/texture_services.h"
#include "texture/objects.h"
#include "unit/emulator/translated.h"

namespace xfer::emulator::grid {
namespace {

using kernels::SurfaceAccess;
using kernels::TextureRead;

texture::Image image_of(std::vector<std::uint32_t>& texels) {
  texture::Image image;
  image.memory = reinterpret_cast<std::byte*>(texels.data());
  image.texel_bytes = 4;
  image.width = static_cast<std::uint32_t>(texels.size());
  return image;
}

struct Parameters {
  std::uint64_t object;
  std::uint32_t* result;
  std::int32_t at;
  SurfaceAccess::Outside outside;
};

void read_kernel(kernels::Thread* t) {
  const auto& [object, result, at, outside] = parameters_of<Parameters>(t);
  TextureRead request;
  request.texture = object;
  request.integers = 1;
  request.coordinates[0] = static_cast<std::uint32_t>(at);
  std::uint32_t texel[4];
  ask(t).read_texture(t, &request, texel);
  *result = texel[0] + ask(t).query_texture(t, object, kernels::ImageQuery::kWidth, 0);
}

/// Adds 1 to a texel.
void surface_kernel(kernels::Thread* t) {
  const auto& [object, result, at, outside] = parameters_of<Parameters>(t);
  SurfaceAccess access;
  access.surface = object;
  access.outside = outside;
  access.bytes = 4;
  access.coordinates[0] = at;
  std::byte texel[16];
  ask(t).read_surface(t, &access, texel);
  std::memcpy(result, texel, 4);
  const std::uint32_t more = *result + 1;
  std::memcpy(texel, &more, 4);
  ask(t).write_surface(t, &access, texel);
}

TEST(TranslatedTexture, IsReadByItsHandle) {
  std::vector<std::uint32_t> texels{5, 6, 7};
  texture::Texture texture;
  texture.levels = {image_of(texels)};
  texture.read = texture::element_reader({texture::Format::Kind::kUnsigned, 32, 1});
  const std::uint64_t handle = texture::textures().add(texture);
  std::uint32_t result = 0;
  const Parameters parameters{handle, &result, 1, SurfaceAccess::Outside::kTrap};
  EXPECT_EQ(launch(read_kernel, {}, parameters), "");
  EXPECT_EQ(result, 9U);
  EXPECT_TRUE(texture::textures().remove(handle));
  EXPECT_FALSE(texture::textures().remove(handle));
  EXPECT_EQ(launch(read_kernel, {}, parameters), kNoSuchTexture);
}

TEST(TranslatedTexture, ASurfaceIsReadAndWritten) {
  std::vector<std::uint32_t> texels{5, 6, 7};
  const std::uint64_t handle = texture::surfaces().add({image_of(texels)});
  std::uint32_t result = 0;
  using Outside = SurfaceAccess::Outside;
  const auto run = [&](std::int32_t at, Outside outside) {
    return launch(surface_kernel, {}, Parameters{handle, &result, at, outside});
  };
  EXPECT_EQ(run(4, Outside::kTrap), "");
  EXPECT_EQ(result, 6U);
  EXPECT_EQ(run(12, Outside::kClamp), "");
  EXPECT_EQ(result, 7U);
  EXPECT_EQ(run(-4, Outside::kZero), "");
  EXPECT_EQ(result, 0U);
  EXPECT_EQ(run(12, Outside::kTrap), kBeyondSurface);
  EXPECT_EQ(texels, (std::vector<std::uint32_t>{5, 7, 8}));
  EXPECT_TRUE(texture::surfaces().remove(handle));
  EXPECT_EQ(run(4, Outside::kTrap), kNoSuchSurface);
}

}  // namespace
}  // namespace xfer::emulator::grid
