// Platform: all devices of one type, what moves bytes between them and the host, and how it is
// found.
#pragma once

#include <cstddef>

#include "backend/backend.h"
#include "tensorlib/call_site.h"

namespace tensorlib {

// What the CUDA plugin (libtensorlib_cuda.so) gives libtensorlib. One object for the process.
class TENSORLIB_API CudaPlatform {
 public:
  virtual ~CudaPlatform();

  virtual int device_count() const = 0;
  virtual int current_device() const = 0;
  virtual void set_current_device(int index) = 0;
  virtual Backend& device(int index) = 0;
  // Page-locked host memory.
  virtual Allocator& pinned_host() = 0;

  // One side at least is a CUDA device; the copy is ordered by that device's current stream, and is
  // done when this returns unless `non_blocking`.
  virtual void copy(void* to, Device to_device, const void* from, Device from_device, size_t nbytes,
                    bool non_blocking) = 0;
};
// Throws std::runtime_error with the reason when the CUDA runtime cannot be used.
using MakeCudaPlatform = CudaPlatform* (*)();
constexpr const char* kMakeCudaPlatform = "tensorlib_make_cuda_platform";

// The loaded plugin with at least one device, or null. The first call looks for it.
CudaPlatform* cuda_platform();
// The same, or a DeviceError that says which of "built without CUDA" and "no device present" it is.
CudaPlatform& require_cuda(CallSite site);

// A device with its index filled in; DeviceError when it is not there.
Device resolve(Device device, CallSite site);
// The backend of a resolved device.
Backend& backend_for(Device device);
Backend& cpu_backend();

}  // namespace tensorlib
