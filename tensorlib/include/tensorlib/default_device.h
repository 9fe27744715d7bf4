// The device of tensors whose options name none.
#pragma once

#include "tensorlib/device.h"

namespace tensorlib {

// The CPU, or what the innermost DefaultDevice of this thread says.
TENSORLIB_API Device default_device();

// `DefaultDevice scope(torch::kCUDA);`: until the end of the scope new tensors and modules are made
// there. Not to be mixed up with cuda::CUDAGuard, which chooses the GPU that "cuda" without an
// index means and places nothing.
class TENSORLIB_API DefaultDevice {
 public:
  explicit DefaultDevice(Device device) : before_(default_device()) { set(device); }
  explicit DefaultDevice(const char* device) : DefaultDevice(Device(device)) {}
  ~DefaultDevice() { set(before_); }
  DefaultDevice(const DefaultDevice&) = delete;
  DefaultDevice& operator=(const DefaultDevice&) = delete;

 private:
  static void set(Device device);
  Device before_;
};

}  // namespace tensorlib
