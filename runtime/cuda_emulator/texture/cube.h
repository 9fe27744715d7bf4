#pragma once
// Cubemaps: six square faces, looked at from the middle.

namespace xfer::emulator::texture {

struct OnFace {
  unsigned face = 0;
  float s = 0, t = 0;  ///< from 0 to 1
};

/// The point that a look in that direction meets ("Cubemap Textures" of the programming guide).
OnFace face_of(float x, float y, float z);

}  // namespace xfer::emulator::texture
