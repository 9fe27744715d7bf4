// Device: where a tensor's elements live.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "tensorlib/macros.h"

namespace tensorlib {

enum class DeviceType : int8_t { CPU = 0, CUDA = 1 };
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;

using DeviceIndex = int8_t;

// A device type and an index. Index -1 means "the current device" of that type; the device of an
// existing CUDA tensor always has its real index, and the CPU has none.
class TENSORLIB_API Device {
 public:
  Device(DeviceType type, DeviceIndex index = -1);
  // "cpu", "cuda", "cuda:1"; anything else is an Error that says what is known.
  Device(const std::string& text);

  DeviceType type() const noexcept { return type_; }
  DeviceIndex index() const noexcept { return index_; }
  bool has_index() const noexcept { return index_ >= 0; }
  bool is_cpu() const noexcept { return type_ == DeviceType::CPU; }
  bool is_cuda() const noexcept { return type_ == DeviceType::CUDA; }
  void set_index(DeviceIndex index) { *this = Device(type_, index); }
  std::string str() const;

  friend bool operator==(const Device& a, const Device& b) noexcept {
    return a.type_ == b.type_ && a.index_ == b.index_;
  }
  friend bool operator!=(const Device& a, const Device& b) noexcept { return !(a == b); }

 private:
  DeviceType type_;
  DeviceIndex index_ = -1;
};

TENSORLIB_API std::ostream& operator<<(std::ostream& out, const Device& device);
TENSORLIB_API std::ostream& operator<<(std::ostream& out, DeviceType type);

}  // namespace tensorlib

template <>
struct std::hash<tensorlib::Device> {
  size_t operator()(const tensorlib::Device& device) const noexcept {
    return static_cast<size_t>(device.type()) << 8 | static_cast<uint8_t>(device.index());
  }
};
