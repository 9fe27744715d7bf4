#include "texture/cube.h"

#include <cmath>

namespace xfer::emulator::texture {
namespace {

OnFace on(unsigned face, float m, float s, float t) {
  return {face, (s / m + 1) / 2, (t / m + 1) / 2};
}

}  // namespace

OnFace face_of(float x, float y, float z) {
  const float far_x = std::fabs(x), far_y = std::fabs(y), far_z = std::fabs(z);
  if (far_x >= far_y && far_x >= far_z) return x >= 0 ? on(0, x, -z, -y) : on(1, -x, z, -y);
  if (far_y >= far_z) return y >= 0 ? on(2, y, x, z) : on(3, -y, x, -z);
  return z >= 0 ? on(4, z, x, -y) : on(5, -z, -x, -y);
}

}  // namespace xfer::emulator::texture
