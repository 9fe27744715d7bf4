#pragma once

#include <unordered_set>

namespace xfer::emulator {

/// Of a type whose objects programs know by their addresses: tells one from any other pointer. With
/// the machine's lock held.
template <typename T>
class Handled {
 public:
  Handled(const Handled&) = delete;
  Handled& operator=(const Handled&) = delete;

  /// Null: there is none.
  static T* find(const void* handle) {
    auto* const object = static_cast<T*>(const_cast<void*>(handle));
    return all().contains(object) ? object : nullptr;
  }

 protected:
  Handled() { all().insert(static_cast<T*>(this)); }
  ~Handled() { all().erase(static_cast<T*>(this)); }

 private:
  static std::unordered_set<const T*>& all() {
    static auto* const objects = new std::unordered_set<const T*>;
    return *objects;
  }
};

}  // namespace xfer::emulator
