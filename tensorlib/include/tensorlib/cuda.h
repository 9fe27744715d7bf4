// The CUDA devices of this process. All functions work without CUDA: there are then no devices.
#pragma once

#include <cstdint>

#include "tensorlib/call_site.h"
#include "tensorlib/device.h"

namespace tensorlib::cuda {

TENSORLIB_API bool is_available();
TENSORLIB_API int64_t device_count();
// Convolutions and the rest are the library's own kernels: cuDNN is never used.
inline bool cudnn_is_available() { return false; }

// The device that "cuda" without an index means, per thread; cuda:0 at first. Setting it moves
// nothing and does not change where new tensors are made (that is the CPU, unless options say
// otherwise).
TENSORLIB_API DeviceIndex current_device(CallSite site = CallSite::current());
TENSORLIB_API void set_device(DeviceIndex index, CallSite site = CallSite::current());

// Seeds the generator, which all devices share: as tensorlib::manual_seed does.
TENSORLIB_API void manual_seed(uint64_t seed);
TENSORLIB_API void manual_seed_all(uint64_t seed);

// `CUDAGuard guard(1);`: the current device until the end of the scope. It places no tensors: see
// DefaultDevice for what does.
class TENSORLIB_API CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex index, CallSite site = CallSite::current());
  explicit CUDAGuard(Device device, CallSite site = CallSite::current());
  ~CUDAGuard();
  CUDAGuard(const CUDAGuard&) = delete;
  CUDAGuard& operator=(const CUDAGuard&) = delete;
  void set_index(DeviceIndex index, CallSite site = CallSite::current());
  Device original_device() const { return Device(kCUDA, before_); }
  Device current_device() const { return Device(kCUDA, cuda::current_device()); }

 private:
  DeviceIndex before_;
  CallSite site_before_;
};

// Waits until the device (-1: the current one) has done all its work.
TENSORLIB_API void synchronize(int64_t index = -1, CallSite site = CallSite::current());

}  // namespace tensorlib::cuda

namespace tensorlib {

// What LibTorch's programs ask and tell of libraries that are not used here: cuDNN never is, and
// matrix products of float32 are computed in float32.
class Context {
 public:
  static bool hasCUDA() { return cuda::is_available(); }
  static bool hasCuDNN() { return false; }
  static bool userEnabledCuDNN() { return false; }
  static bool benchmarkCuDNN() { return false; }
  static bool allowTF32CuBLAS() { return false; }
  // Each only permits what is not done, or forbids it.
  static void setUserEnabledCuDNN(bool) {}
  static void setDeterministicCuDNN(bool) {}
  static void setBenchmarkCuDNN(bool) {}
  static void setAllowTF32CuBLAS(bool) {}
  static void setAllowTF32CuDNN(bool) {}
};
inline Context globalContext() { return {}; }

}  // namespace tensorlib
