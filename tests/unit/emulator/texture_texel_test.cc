// Channels of texels, and the bytes of surfaces.

#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "texture/fetch.h"

namespace xfer::emulator::texture {
namespace {

using testing::ElementsAre;
using Kind = Format::Kind;

using Channels = std::array<std::uint32_t, 4>;

template <typename T, std::size_t kCount>
Channels words_of(Reader reader, const T (&texel)[kCount]) {
  std::byte bytes[sizeof(texel)];
  std::memcpy(bytes, texel, sizeof(texel));
  return std::bit_cast<Channels>(reader(bytes));
}

template <typename T>
float normal(Kind kind, T channel, bool srgb = false) {
  const Format format{kind, sizeof(T) * 8, 1};
  return std::bit_cast<float>(words_of(normalized_reader(format, srgb), {channel})[0]);
}

TEST(Texel, IntegersAreWidened) {
  EXPECT_THAT(words_of(element_reader({Kind::kUnsigned, 8, 4}),
                       {std::uint8_t{1}, std::uint8_t{200}, std::uint8_t{3}, std::uint8_t{255}}),
              ElementsAre(1, 200, 3, 255));
  EXPECT_THAT(words_of(element_reader({Kind::kSigned, 16, 2}), {std::int16_t{-2}, std::int16_t{3}}),
              ElementsAre(0xfffffffe, 3, 0, 1));
  EXPECT_THAT(words_of(element_reader({Kind::kUnsigned, 32, 1}), {0xfedcba98U}),
              ElementsAre(0xfedcba98, 0, 0, 1));
}

TEST(Texel, HalvesAreFloats) {
  EXPECT_EQ(from_half(0x3c00), 1);
  EXPECT_EQ(from_half(0xc000), -2);
  EXPECT_EQ(from_half(0x7bff), 65504);
  EXPECT_EQ(from_half(0x0001), std::ldexp(1.0F, -24));
  EXPECT_EQ(from_half(0x7c00), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(from_half(0x7e00)));
  const Channels words =
      words_of(element_reader({Kind::kFloat, 16, 2}), {std::uint16_t{0x3800}, std::uint16_t{0}});
  EXPECT_THAT(words, ElementsAre(std::bit_cast<std::uint32_t>(0.5F), 0, 0,
                                 std::bit_cast<std::uint32_t>(1.0F)));
}

TEST(Texel, NormalizedIntegersGoToOne) {
  EXPECT_EQ(normal<std::uint8_t>(Kind::kUnsigned, 255), 1);
  EXPECT_EQ(normal<std::uint8_t>(Kind::kUnsigned, 51), 0.2F);
  EXPECT_EQ(normal<std::int8_t>(Kind::kSigned, 127), 1);
  EXPECT_EQ(normal<std::int8_t>(Kind::kSigned, -127), -1);
  EXPECT_EQ(normal<std::int8_t>(Kind::kSigned, -128), -1);
  EXPECT_EQ(normal<std::uint16_t>(Kind::kUnsigned, 13107), 0.2F);
  EXPECT_EQ(normal<std::int16_t>(Kind::kSigned, -32768), -1);
}

// IEC 61966-2-1: 188 is about half of the light.
TEST(Texel, SrgbIsLight) {
  EXPECT_EQ(normal<std::uint8_t>(Kind::kUnsigned, 255, true), 1);
  EXPECT_NEAR(normal<std::uint8_t>(Kind::kUnsigned, 188, true), 0.502886F, 1e-5F);
  EXPECT_FLOAT_EQ(normal<std::uint8_t>(Kind::kUnsigned, 5, true), 5 / 255.0F / 12.92F);
  const Channels words =
      words_of(normalized_reader({Kind::kUnsigned, 8, 4}, true),
               {std::uint8_t{188}, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{51}});
  EXPECT_EQ(std::bit_cast<float>(words[3]), 0.2F);  // the fourth is none of it
}

TEST(Texel, FormatsThatAreNone) {
  EXPECT_EQ(element_reader({Kind::kFloat, 8, 1}), nullptr);
  EXPECT_EQ(element_reader({Kind::kUnsigned, 8, 3}), nullptr);
  EXPECT_EQ(normalized_reader({Kind::kUnsigned, 32, 1}, false), nullptr);
  EXPECT_EQ(normalized_reader({Kind::kFloat, 16, 1}, false), nullptr);
}

class SurfacePlace : public testing::Test {
 protected:
  SurfacePlace() {
    surface_.image.memory = memory_;
    surface_.image.texel_bytes = 4;
    surface_.image.width = 4;
    surface_.image.height = 3;
    surface_.image.slices = 2;
    surface_.image.pitch = 16;
    surface_.image.slice_pitch = 48;
  }
  /// Bytes from the first texel; -1: outside.
  std::ptrdiff_t look(kernels::SurfaceAccess::Outside outside, std::int32_t x, std::int32_t y,
                      std::int32_t z = 0) {
    kernels::SurfaceAccess access;
    access.geometry = kernels::Geometry::k3D;
    access.outside = outside;
    access.bytes = 4;
    access.coordinates[0] = x;
    access.coordinates[1] = y;
    access.coordinates[2] = z;
    const std::byte* const at = place(surface_, access);
    return at == nullptr ? -1 : at - memory_;
  }

  std::byte memory_[96] = {};
  Surface surface_;
};

TEST_F(SurfacePlace, TheFirstCoordinateCountsBytes) {
  using enum kernels::SurfaceAccess::Outside;
  EXPECT_EQ(look(kTrap, 8, 1, 1), 72);
  EXPECT_EQ(look(kTrap, 12, 2), 44);
  EXPECT_EQ(look(kTrap, 13, 2), -1);  // the last byte is beyond the row
  EXPECT_EQ(look(kZero, -1, 0), -1);
  EXPECT_EQ(look(kZero, 0, 3), -1);
  EXPECT_EQ(look(kZero, 0, 0, 2), -1);
}

TEST_F(SurfacePlace, ClampMovesInside) {
  using enum kernels::SurfaceAccess::Outside;
  EXPECT_EQ(look(kClamp, 400, -7), 12);
  EXPECT_EQ(look(kClamp, -1, 99, 99), 80);
}

TEST_F(SurfacePlace, LayersAreSlices) {
  kernels::SurfaceAccess access;
  access.geometry = kernels::Geometry::k2DLayered;
  access.bytes = 1;
  access.layer = 1;
  EXPECT_EQ(place(surface_, access) - memory_, 48);
  access.layer = 2;
  EXPECT_EQ(place(surface_, access), nullptr);
}

TEST_F(SurfacePlace, SizesAreAsked) {
  using kernels::ImageQuery;
  EXPECT_EQ(query(surface_.image, ImageQuery::kHeight), 3U);
  EXPECT_EQ(query(surface_.image, ImageQuery::kDepth), 2U);
  EXPECT_EQ(query(surface_.image, ImageQuery::kLayers), 1U);
  surface_.image.layered = true;
  EXPECT_EQ(query(surface_.image, ImageQuery::kDepth), 1U);
  EXPECT_EQ(query(surface_.image, ImageQuery::kLayers), 2U);
}

}  // namespace
}  // namespace xfer::emulator::texture
