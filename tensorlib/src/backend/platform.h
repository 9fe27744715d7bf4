// Platform: all devices of one type, what moves bytes between them and the host, and how it is
// found.
#pragma once

#include <cstddef>

#include "backend/backend.h"
#include "tensorlib/call_site.h"

namespace tensorlib {

// The CUDA plugin (libtensorlib_cuda.so) as libtensorlib sees it. One object for the process.
class TENSORLIB_API CudaPlatform {
 public:
  virtual ~CudaPlatform();

  virtual int device_count() const = 0;
  virtual int current_device() const = 0;
  virtual void set_current_device(int index) = 0;
  virtual Backend& device(int index) = 0;
  // Page-locked host memory.
  virtual Allocator& pinned_host() = 0;

  // Streams are cudaStream_t, null for a device's default one; those of the pool live as long as
  // the process.
  virtual void* stream_from_pool(int device, bool high_priority) = 0;
  // The one that this thread's work on the device goes to.
  virtual void* current_stream(int device) const = 0;
  virtual void set_current_stream(int device, void* stream) = 0;
  virtual bool is_stream_done(int device, void* stream) = 0;
  virtual void wait_for_stream(int device, void* stream) = 0;
  // A place in a stream: a new event where `event` is null.
  virtual void* record_event(void* event, int device, void* stream) = 0;
  virtual bool is_event_done(void* event) = 0;
  virtual void wait_for_event(void* event) = 0;
  virtual void drop_event(void* event) noexcept = 0;
  // Work put into the stream from now on comes after the event.
  virtual void order_after_event(int device, void* stream, void* event) = 0;
  // A block of the device's memory is used in another stream than the one it was made in.
  virtual void used_on(int device, void* block, void* stream) = 0;

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
