#include "texture/fetch.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "texture/cube.h"

namespace xfer::emulator::texture {
namespace {

using kernels::Geometry;
using kernels::TextureRead;

float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// No image is so large that this changes the number.
std::int32_t signed_of(std::uint32_t size) { return static_cast<std::int32_t>(size); }

unsigned dimensions(Geometry geometry) {
  switch (geometry) {
    case Geometry::k1D:
    case Geometry::k1DLayered: return 1;
    case Geometry::k3D: return 3;
    default: return 2;
  }
}

/// One level of a texture, looked at from one point.
class View {
 public:
  View(const Texture& texture, const Image& image, const TextureRead& request)
      : texture_(texture), image_(image), dimensions_(dimensions(request.geometry)) {
    if (request.geometry == Geometry::kCube || request.geometry == Geometry::kCubeLayered)
      look_at_cube(request);
    else
      look_at_plain(request);
  }

  Words nearest() const { return texel(taps_[0].first, taps_[1].first, taps_[2].first); }

  /// The mean of up to 8 neighbours, each as much as it is near.
  Words linear() const {
    Floats sum{};
    taps_[2].for_each([&](std::int32_t z, float near_z) {
      taps_[1].for_each([&](std::int32_t y, float near_y) {
        taps_[0].for_each([&](std::int32_t x, float near_x) {
          sum += near_x * near_y * near_z * std::bit_cast<Floats>(texel(x, y, z));
        });
      });
    });
    return std::bit_cast<Words>(sum);
  }

  /// One channel of the four neighbours, in the order that tld4 has.
  Words gather(std::uint32_t channel) const {
    const Taps& x = taps_[0];
    const Taps& y = taps_[1];
    const auto at = [&](std::int32_t i, std::int32_t j) {
      return texel(i, j, taps_[2].first)[channel & 3];
    };
    return Words{at(x.first, y.second), at(x.second, y.second), at(x.second, y.first),
                 at(x.first, y.first)};
  }

 private:
  void look_at_plain(const TextureRead& request) {
    const std::int32_t sizes[3] = {signed_of(image_.width), signed_of(image_.height),
                                   signed_of(image_.slices)};
    for (unsigned i = 0; i < dimensions_; ++i) {
      const Axis axis{texture_.address[i], texture_.normalized, sizes[i]};
      const std::uint32_t at = request.coordinates[i];
      if (request.integers != 0) {
        taps_[i].first = addressed(static_cast<std::int32_t>(at), axis);
      } else {
        look(i, float_of(at), axis, request);
      }
    }
    if (dimensions_ < 3) taps_[2].first = layer(request.layer, 1, 0);
  }

  void look_at_cube(const TextureRead& request) {
    const OnFace on = face_of(float_of(request.coordinates[0]), float_of(request.coordinates[1]),
                              float_of(request.coordinates[2]));
    look(0, on.s, {AddressMode::kClamp, true, signed_of(image_.width)}, request);
    look(1, on.t, {AddressMode::kClamp, true, signed_of(image_.height)}, request);
    taps_[2].first = layer(request.layer, 6, on.face);
  }

  void look(unsigned i, float at, const Axis& axis, const TextureRead& request) {
    const bool two = texture_.linear || request.component != TextureRead::kEvery;
    taps_[i] = two ? between(at, axis) : texture::nearest(at, axis);
  }

  /// The slice of a layer; those that are not there are the last.
  std::int32_t layer(std::uint32_t number, std::uint32_t slices_each, std::uint32_t slice) const {
    const std::uint32_t layers = std::max(1U, image_.slices / slices_each);
    const std::uint32_t at = std::min(number, layers - 1) * slices_each + slice;
    return static_cast<std::int32_t>(std::min(at, image_.slices - 1));
  }

  Words texel(std::int32_t x, std::int32_t y, std::int32_t z) const {
    if ((x | y | z) < 0) return texture_.border;
    const auto unsigned_of = [](std::int32_t i) { return static_cast<std::uint64_t>(i); };
    return texture_.read(image_.row(unsigned_of(y), unsigned_of(z)) +
                         unsigned_of(x) * image_.texel_bytes);
  }

  const Texture& texture_;
  const Image& image_;
  const unsigned dimensions_;
  Taps taps_[3];
};

Words at_level(const Texture& texture, const TextureRead& request, std::size_t level) {
  const View view(texture, texture.levels[level], request);
  if (request.component != TextureRead::kEvery) return view.gather(request.component);
  return texture.linear && request.integers == 0 ? view.linear() : view.nearest();
}

/// Of detail, by how far neighbours are apart in the largest level: their texels.
float level_of_gradients(const Texture& texture, const TextureRead& request) {
  const Image& image = texture.levels[0];
  const std::uint32_t sizes[3] = {image.width, image.height, image.slices};
  float x = 0, y = 0;
  for (unsigned i = 0; i < dimensions(request.geometry); ++i) {
    const float scale = texture.normalized ? static_cast<float>(sizes[i]) : 1;
    x += request.along_x[i] * scale * request.along_x[i] * scale;
    y += request.along_y[i] * scale * request.along_y[i] * scale;
  }
  return std::log2(std::max(x, y)) / 2;
}

Words read_levels(const Texture& texture, const TextureRead& request) {
  float level = request.has_gradients != 0 ? level_of_gradients(texture, request) : request.level;
  // In this order a level that is no number is the least.
  const auto last = static_cast<float>(texture.levels.size() - 1);
  level = std::min(std::max(texture.least_level, level + texture.level_bias), texture.most_level);
  level = std::min(std::max(0.0F, level), last);
  if (!texture.linear_levels || !texture.floats)
    return at_level(texture, request, static_cast<std::size_t>(level + 0.5F));
  const auto fixed = static_cast<std::size_t>(level * 256 + 0.5F);
  const float weight = static_cast<float>(fixed & 255) / 256;
  const Words words = at_level(texture, request, fixed >> 8);
  if (weight == 0) return words;
  const Words next = at_level(texture, request, (fixed >> 8) + 1);
  return std::bit_cast<Words>((1 - weight) * std::bit_cast<Floats>(words) +
                              weight * std::bit_cast<Floats>(next));
}

Words read_buffer(const Texture& texture, const TextureRead& request) {
  const Image& image = texture.levels[0];
  const std::uint32_t at = request.coordinates[0];
  const Axis axis{AddressMode::kBorder, false, signed_of(image.width)};
  const std::int32_t index = request.integers != 0 ? addressed(static_cast<std::int32_t>(at), axis)
                                                   : nearest(float_of(at), axis).first;
  if (index < 0) return Words{};
  return texture.read(image.memory + static_cast<std::uint64_t>(index) * image.texel_bytes);
}

}  // namespace

Words read(const Texture& texture, const TextureRead& request) {
  if (texture.buffer) return read_buffer(texture, request);
  const bool gathers = request.component != TextureRead::kEvery;
  return texture.levels.size() == 1 || gathers ? at_level(texture, request, 0)
                                               : read_levels(texture, request);
}

}  // namespace xfer::emulator::texture
