// Texels that coordinates lead to: values worked out by the formulas of "Texture Fetching" in
// CUDA's programming guide.

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "texture/cube.h"
#include "texture/fetch.h"

namespace xfer::emulator::texture {
namespace {

using kernels::Geometry;
using kernels::TextureRead;

constexpr Format kFloat{Format::Kind::kFloat, 32, 1};

Image image_of(std::vector<float>& texels, std::uint32_t width, std::uint32_t height = 1,
               std::uint32_t slices = 1) {
  Image image;
  image.memory = reinterpret_cast<std::byte*>(texels.data());
  image.texel_bytes = 4;
  image.width = width;
  image.height = height;
  image.slices = slices;
  image.pitch = width * 4;
  image.slice_pitch = image.pitch * height;
  return image;
}

Texture texture_of(const Image& image) {
  Texture texture;
  texture.levels = {image};
  texture.read = element_reader(kFloat);
  texture.floats = true;
  for (AddressMode& mode : texture.address) mode = AddressMode::kClamp;
  texture.most_level = 16;
  return texture;
}

TextureRead at(Geometry geometry, float x, float y = 0, float z = 0) {
  TextureRead request;
  request.geometry = geometry;
  const float coordinates[] = {x, y, z};
  for (unsigned i = 0; i < 3; ++i)
    request.coordinates[i] = std::bit_cast<std::uint32_t>(coordinates[i]);
  return request;
}

float value(const Texture& texture, const TextureRead& request) {
  return std::bit_cast<float>(read(texture, request)[0]);
}

class TextureRow : public testing::Test {
 protected:
  float look(float x) const { return value(texture_, at(Geometry::k1D, x)); }
  void set_mode(AddressMode mode, bool normalized) {
    texture_.address[0] = mode;
    texture_.normalized = normalized;
  }

  std::vector<float> texels_{10, 20, 30, 40};
  Texture texture_ = texture_of(image_of(texels_, 4));
};

TEST_F(TextureRow, NearestIsTheTexelThatTheCoordinateIsIn) {
  EXPECT_EQ(look(0), 10);
  EXPECT_EQ(look(0.99F), 10);
  EXPECT_EQ(look(1), 20);
  EXPECT_EQ(look(3.99F), 40);
}

TEST_F(TextureRow, ClampTakesTheOutermost) {
  EXPECT_EQ(look(-5), 10);
  EXPECT_EQ(look(4), 40);
  EXPECT_EQ(look(std::numeric_limits<float>::infinity()), 40);
  EXPECT_EQ(look(-3e38F), 10);
  EXPECT_EQ(look(std::numeric_limits<float>::quiet_NaN()), 10);
}

TEST_F(TextureRow, BorderIsItsColour) {
  set_mode(AddressMode::kBorder, false);
  texture_.border[0] = std::bit_cast<std::uint32_t>(7.0F);
  EXPECT_EQ(look(-0.01F), 7);
  EXPECT_EQ(look(0), 10);
  EXPECT_EQ(look(3.99F), 40);
  EXPECT_EQ(look(4), 7);
}

TEST_F(TextureRow, WrapTakesTheFraction) {
  set_mode(AddressMode::kWrap, true);
  EXPECT_EQ(look(0.25F), 20);
  EXPECT_EQ(look(1.25F), 20);
  EXPECT_EQ(look(-0.25F), 40);
  EXPECT_EQ(look(-1e-9F), 10);  // whose fraction is 1: the first again
  EXPECT_EQ(look(1000.5F), 30);
}

TEST_F(TextureRow, MirrorTurnsRoundInOddIntervals) {
  set_mode(AddressMode::kMirror, true);
  EXPECT_EQ(look(-0.1F), 10);
  EXPECT_EQ(look(-0.4F), 20);
  EXPECT_EQ(look(1.1F), 40);
  EXPECT_EQ(look(1.6F), 20);
  EXPECT_EQ(look(2.3F), 20);
}

TEST_F(TextureRow, NothingRepeatsWithoutNormalizedCoordinates) {
  set_mode(AddressMode::kWrap, false);
  EXPECT_EQ(look(5), 40);
  set_mode(AddressMode::kMirror, false);
  EXPECT_EQ(look(-2), 10);
}

TEST_F(TextureRow, LinearIsBetweenCentres) {
  texture_.linear = true;
  EXPECT_EQ(look(0.5F), 10);
  EXPECT_EQ(look(0.75F), 12.5F);
  EXPECT_EQ(look(1), 15);
  EXPECT_EQ(look(3), 35);
}

// 1.8 fixed point: 0.3 is 77/256, and what is next to 1 is 1.
TEST_F(TextureRow, WeightsHaveEightBits) {
  texture_.linear = true;
  EXPECT_EQ(look(0.8F), 10 + 10 * 77 / 256.0F);
  EXPECT_EQ(look(0.501F), 10);
  EXPECT_EQ(look(1.499F), 20);
}

TEST_F(TextureRow, LinearAtTheEdge) {
  texture_.linear = true;
  EXPECT_EQ(look(0), 10);
  EXPECT_EQ(look(4), 40);
  set_mode(AddressMode::kBorder, false);
  EXPECT_EQ(look(0), 5);
  set_mode(AddressMode::kWrap, true);
  EXPECT_EQ(look(0), 25);
  EXPECT_EQ(look(1), 25);
  set_mode(AddressMode::kMirror, true);
  EXPECT_EQ(look(1), 40);
}

// A neighbour of no weight is not looked at: it may be no number.
TEST_F(TextureRow, WhatHasNoWeightDoesNotCount) {
  texels_[1] = std::numeric_limits<float>::infinity();
  texture_.linear = true;
  EXPECT_EQ(look(0.5F), 10);
}

TEST_F(TextureRow, IntegersCountTexels) {
  texture_.linear = true;
  TextureRead request;
  request.integers = 1;
  request.coordinates[0] = 2;
  EXPECT_EQ(value(texture_, request), 30);
  request.coordinates[0] = static_cast<std::uint32_t>(-2);
  EXPECT_EQ(value(texture_, request), 10);
}

TEST_F(TextureRow, ABufferIsZeroBeyondItsEnd) {
  texture_.buffer = true;
  TextureRead request;
  request.integers = 1;
  request.coordinates[0] = 3;
  EXPECT_EQ(value(texture_, request), 40);
  for (const std::int32_t beyond : {4, -1}) {
    request.coordinates[0] = static_cast<std::uint32_t>(beyond);
    const Words words = read(texture_, request);
    EXPECT_EQ(words[0] | words[3], 0U);
  }
}

TEST(TexturePlane, LinearInBothDirections) {
  std::vector<float> texels{1, 2, 3, 4};
  Texture texture = texture_of(image_of(texels, 2, 2));
  EXPECT_EQ(value(texture, at(Geometry::k2D, 1.5F, 0.5F)), 2);
  EXPECT_EQ(value(texture, at(Geometry::k2D, 0.5F, 1.5F)), 3);
  texture.linear = true;
  EXPECT_EQ(value(texture, at(Geometry::k2D, 1, 1)), 2.5F);
  EXPECT_EQ(value(texture, at(Geometry::k2D, 0.75F, 1)), 2.25F);
}

TEST(TexturePlane, RowsLieAPitchApart) {
  std::vector<float> texels{1, 2, 0, 0, 3, 4, 0, 0};
  Image image = image_of(texels, 2, 2);
  image.pitch = 16;
  EXPECT_EQ(value(texture_of(image), at(Geometry::k2D, 1, 1)), 4);
}

// The order of the PTX ISA: the lower row first, from the left; then the upper one, from the right.
TEST(TexturePlane, GatherGivesFourNeighbours) {
  std::vector<float> texels{1, 2, 3, 4};
  TextureRead request = at(Geometry::k2D, 1, 1);
  request.component = 0;
  float got[4];
  const Words words = read(texture_of(image_of(texels, 2, 2)), request);
  for (unsigned i = 0; i < 4; ++i) got[i] = std::bit_cast<float>(words[i]);
  EXPECT_THAT(got, testing::ElementsAre(3, 4, 2, 1));
}

TEST(TextureCuboid, LinearInThreeDirections) {
  std::vector<float> texels{0, 1, 2, 3, 4, 5, 6, 7};
  Texture texture = texture_of(image_of(texels, 2, 2, 2));
  EXPECT_EQ(value(texture, at(Geometry::k3D, 1, 0, 1)), 5);
  texture.linear = true;
  EXPECT_EQ(value(texture, at(Geometry::k3D, 1, 1, 1)), 3.5F);
  EXPECT_EQ(value(texture, at(Geometry::k3D, 0.75F, 0.5F, 1)), 2.25F);
}

TEST(TextureLayers, AreNotBlended) {
  std::vector<float> texels{1, 3, 10, 30};
  Texture texture = texture_of(image_of(texels, 2, 1, 2));
  texture.linear = true;
  TextureRead request = at(Geometry::k1DLayered, 1);
  EXPECT_EQ(value(texture, request), 2);
  request.layer = 1;
  EXPECT_EQ(value(texture, request), 20);
  request.layer = 9;  // the last
  EXPECT_EQ(value(texture, request), 20);
  request = at(Geometry::k2DLayered, 1, 5);
  request.layer = 1;
  EXPECT_EQ(value(texture, request), 20);
}

TEST(TextureCube, EachDirectionMeetsItsFace) {
  const float directions[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                  {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
  std::vector<float> texels(12);
  for (unsigned i = 0; i < 12; ++i) texels[i] = static_cast<float>(i);
  const Texture texture = texture_of(image_of(texels, 1, 1, 12));
  for (unsigned face = 0; face < 6; ++face) {
    const float* const to = directions[face];
    EXPECT_EQ(value(texture, at(Geometry::kCube, to[0], to[1], to[2])), static_cast<float>(face));
    TextureRead request = at(Geometry::kCubeLayered, to[0], to[1], to[2]);
    request.layer = 1;
    EXPECT_EQ(value(texture, request), static_cast<float>(face + 6));
  }
}

// "Cubemap Textures": the face, the major axis m, and s and t on the face; (s/m + 1)/2.
TEST(TextureCube, CoordinatesOnTheFace) {
  const auto expect = [](OnFace on, unsigned face, float s, float t) {
    EXPECT_EQ(on.face, face);
    EXPECT_EQ(on.s, s);
    EXPECT_EQ(on.t, t);
  };
  expect(face_of(4, 1, 2), 0, 0.25F, 0.375F);   // s = -z, t = -y
  expect(face_of(-4, 1, 2), 1, 0.75F, 0.375F);  // s = z, t = -y
  expect(face_of(1, 4, 2), 2, 0.625F, 0.75F);   // s = x, t = z
  expect(face_of(1, -4, 2), 3, 0.625F, 0.25F);  // s = x, t = -z
  expect(face_of(1, 2, 4), 4, 0.625F, 0.25F);   // s = x, t = -y
  expect(face_of(1, 2, -4), 5, 0.375F, 0.25F);  // s = -x, t = -y
}

class TextureLevels : public testing::Test {
 protected:
  TextureLevels() {
    texture_.levels.push_back(image_of(small_, 1));
    texture_.normalized = true;
  }
  float look(float level) {
    TextureRead request = at(Geometry::k1D, 0.1F);
    request.level = level;
    return value(texture_, request);
  }

  std::vector<float> large_{10, 20}, small_{100};
  Texture texture_ = texture_of(image_of(large_, 2));
};

TEST_F(TextureLevels, NearestLevel) {
  EXPECT_EQ(look(0), 10);
  EXPECT_EQ(look(0.4F), 10);
  EXPECT_EQ(look(0.6F), 100);
  EXPECT_EQ(look(9), 100);
  EXPECT_EQ(look(-9), 10);
  EXPECT_EQ(look(std::numeric_limits<float>::quiet_NaN()), 10);
}

TEST_F(TextureLevels, LinearBetweenLevels) {
  texture_.linear_levels = true;
  EXPECT_EQ(look(0.25F), 32.5F);
  texture_.level_bias = 0.25F;
  EXPECT_EQ(look(0.25F), 55);
  texture_.most_level = 0.25F;
  EXPECT_EQ(look(9), 32.5F);
}

// Two texels of the largest level apart: level 1.
TEST_F(TextureLevels, GradientsGiveTheLevel) {
  TextureRead request = at(Geometry::k1D, 0.1F);
  request.has_gradients = 1;
  request.along_y[0] = 1;
  EXPECT_EQ(value(texture_, request), 100);
  request.along_y[0] = 0.5F;
  EXPECT_EQ(value(texture_, request), 10);
}

TEST_F(TextureLevels, AreAsked) {
  EXPECT_EQ(query(texture_, kernels::ImageQuery::kLevels, 0), 2U);
  EXPECT_EQ(query(texture_, kernels::ImageQuery::kWidth, 0), 2U);
  EXPECT_EQ(query(texture_, kernels::ImageQuery::kWidth, 1), 1U);
  EXPECT_EQ(query(texture_, kernels::ImageQuery::kNormalized, 0), 1U);
}

}  // namespace
}  // namespace xfer::emulator::texture
