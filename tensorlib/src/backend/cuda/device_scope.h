// DeviceScope: a device is CUDA's current one of this thread for as long as the scope lives.
#pragma once

#include "backend/cuda/check.h"

namespace tensorlib::cuda {

class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    TENSORLIB_CUDA(cudaGetDevice(&before_));
    if (before_ != device) {
      TENSORLIB_CUDA(cudaSetDevice(device));
      changed_ = true;
    }
  }
  ~DeviceScope() {
    if (changed_) cudaSetDevice(before_);
  }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

}  // namespace tensorlib::cuda
