#include "tensorlib/device.h"

#include <charconv>
#include <limits>
#include <ostream>

#include "tensorlib/default_device.h"
#include "tensorlib/error.h"

namespace tensorlib {

Device::Device(DeviceType type, DeviceIndex index) : type_(type), index_(index) {
  if (index < -1 || (type == kCPU && index > 0)) {
    throw Error("Device: index " + std::to_string(index) + " is not a device index" +
                    (type == kCPU ? " (the CPU is one device)" : ""),
                CallSite::none());
  }
  if (type == kCPU) index_ = -1;
}

Device::Device(const std::string& text) : type_(kCPU) {
  const auto refuse = [&]() -> Error {
    return Error("Device: \"" + text +
                     "\" is not a device\nhelp: the names are \"cpu\", \"cuda\" "
                     "(the current CUDA device) and \"cuda:N\" (N from 0)",
                 CallSite::none());
  };
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (name == "cuda") {
    type_ = kCUDA;
  } else if (name != "cpu") {
    throw refuse();
  }
  if (colon == std::string::npos) return;
  int index = -1;
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data() + colon + 1, end, index);
  if (error != std::errc() || parsed != end || index < 0 ||
      index > std::numeric_limits<DeviceIndex>::max()) {
    throw refuse();
  }
  *this = Device(type_, static_cast<DeviceIndex>(index));
}

std::string Device::str() const {
  const std::string name = is_cuda() ? "cuda" : "cpu";
  return has_index() ? name + ":" + std::to_string(index_) : name;
}

namespace {

thread_local Device default_place(kCPU);

}  // namespace

Device default_device() { return default_place; }
void DefaultDevice::set(Device device) { default_place = device; }

std::ostream& operator<<(std::ostream& out, const Device& device) { return out << device.str(); }
std::ostream& operator<<(std::ostream& out, DeviceType type) {
  return out << (type == kCUDA ? "cuda" : "cpu");
}

}  // namespace tensorlib
