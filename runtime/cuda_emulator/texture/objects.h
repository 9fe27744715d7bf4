#pragma once
// The objects that programs have made, by handle. With the machine's lock held, as kernels run.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "texture/texture.h"

namespace xfer::emulator::texture {

/// Handles begin with 1 and are not used again, so one that outlives its object is known.
template <typename T>
class Table {
 public:
  std::uint64_t add(T object) {
    objects_.push_back(std::make_unique<T>(std::move(object)));
    return objects_.size();
  }
  bool remove(std::uint64_t handle) {
    if (find(handle) == nullptr) return false;
    objects_[handle - 1].reset();
    return true;
  }
  /// Null: there is none.
  const T* find(std::uint64_t handle) const {
    return handle - 1 < objects_.size() ? objects_[handle - 1].get() : nullptr;
  }

 private:
  std::vector<std::unique_ptr<T>> objects_;
};

Table<Texture>& textures();
Table<Surface>& surfaces();

}  // namespace xfer::emulator::texture
