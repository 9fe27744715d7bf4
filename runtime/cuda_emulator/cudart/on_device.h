#pragma once
// Another current device, for a scope of an emulated library's own code.

#include <cuda_runtime_api.h>

#include "machine/hooks.h"

namespace xfer::emulator {

class OnDevice {
 public:
  explicit OnDevice(int device) : before_(xfer_emulator_current_device()) {
    if (device != before_) cudaSetDevice(device);
  }
  ~OnDevice() {
    if (xfer_emulator_current_device() != before_) cudaSetDevice(before_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  const int before_;
};

}  // namespace xfer::emulator
