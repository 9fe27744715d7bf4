#pragma once
// Texture and surface objects: images in memory, and how they are looked at.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "texture/addressing.h"
#include "texture/texel.h"

namespace xfer::emulator::texture {

/// Rows of texels behind each other, and slices of rows: depth, layers or faces.
struct Image {
  std::byte* memory = nullptr;  ///< where this process reaches it
  std::uint32_t texel_bytes = 1;
  std::uint32_t width = 1, height = 1, slices = 1;
  std::uint64_t pitch = 0;        ///< from row to row, bytes
  std::uint64_t slice_pitch = 0;  ///< from slice to slice
  bool layered = false;           ///< slices are no third dimension

  std::byte* row(std::uint64_t y, std::uint64_t z) const {
    return memory + z * slice_pitch + y * pitch;
  }
};

struct Texture {
  std::vector<Image> levels;  ///< one at least
  Reader read = nullptr;
  bool floats = false;  ///< what it reads is floats
  bool buffer = false;  ///< linear memory: nothing but a number of texels, 0 beyond them
  AddressMode address[3] = {};
  bool normalized = false;  ///< coordinates
  bool linear = false;      ///< between texels, of floats
  bool linear_levels = false;
  Words border{};
  float level_bias = 0, least_level = 0, most_level = 0;
};

struct Surface {
  Image image;
};

}  // namespace xfer::emulator::texture
