#include "texture/objects.h"

namespace xfer::emulator::texture {

Table<Texture>& textures() {
  static auto* const all = new Table<Texture>;
  return *all;
}

Table<Surface>& surfaces() {
  static auto* const all = new Table<Surface>;
  return *all;
}

}  // namespace xfer::emulator::texture
