// Streams and events of CUDA devices, with the names that LibTorch has in c10::cuda and at::cuda.
//
//   const auto side = torch::cuda::getStreamFromPool();
//   torch::Tensor there;
//   torch::cuda::CUDAEvent copied;
//   {
//     torch::cuda::CUDAStreamGuard guard(side);             // work of this thread goes to `side`
//     there = pinned.to(torch::kCUDA, true);
//     copied.record();
//   }
//   copied.block(torch::cuda::getCurrentCUDAStream());      // the next line comes after the copy
//   scores = model->forward(there);
//
// A stream's work runs in order; two streams' work runs in no order but what events and waits make.
// With set_stream_checks(true), or TENSORLIB_STREAM_CHECKS=1 in the environment, every operation
// checks that what it reads and overwrites was last written in its own stream, or before a point
// that its stream or the host has waited for; else it throws a StreamError that names both lines.
// Streams and events may be used from several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>

#include "tensorlib/call_site.h"
#include "tensorlib/device.h"
#include "tensorlib/error.h"

namespace tensorlib {

// Memory is used in one stream that another one wrote, and nothing made the one wait for the other.
class TENSORLIB_API StreamError : public Error {
 public:
  using Error::Error;
  ~StreamError() override;
};

namespace cuda {

// A handle: copies name the same stream.
class TENSORLIB_API CUDAStream {
 public:
  // `stream`: a cudaStream_t of that device, kept alive by the caller; null for the default stream.
  CUDAStream(DeviceIndex device, void* stream) : device_(device), stream_(stream) {}
  Device device() const { return Device(kCUDA, device_); }
  DeviceIndex device_index() const { return device_; }
  void* stream() const { return stream_; }  // the cudaStream_t
  // Whether all its work is done.
  bool query() const;
  // The host waits for all its work.
  void synchronize() const;
  friend bool operator==(const CUDAStream& a, const CUDAStream& b) {
    return a.device_ == b.device_ && a.stream_ == b.stream_;
  }
  friend bool operator!=(const CUDAStream& a, const CUDAStream& b) { return !(a == b); }

 private:
  DeviceIndex device_;
  void* stream_;
};
// "the default stream of cuda:0", "stream 2 of cuda:0"
TENSORLIB_API std::ostream& operator<<(std::ostream& out, const CUDAStream& stream);

// One of the device's 32 pooled streams of that priority, in turn. Of the current device where the
// index is -1. Throws DeviceError where the device is not there, as the next two do.
TENSORLIB_API CUDAStream getStreamFromPool(bool high_priority = false, DeviceIndex device = -1,
                                           CallSite site = CallSite::current());
TENSORLIB_API CUDAStream getDefaultCUDAStream(DeviceIndex device = -1,
                                              CallSite site = CallSite::current());
// The stream that this thread's work on the device goes to.
TENSORLIB_API CUDAStream getCurrentCUDAStream(DeviceIndex device = -1,
                                              CallSite site = CallSite::current());
// The device stays what it is: this says where work on the stream's device goes.
TENSORLIB_API void setCurrentCUDAStream(CUDAStream stream);

// Until the end of the scope the stream and its device are this thread's current ones.
class TENSORLIB_API CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(CUDAStream stream);
  ~CUDAStreamGuard();
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;
  CUDAStream original_stream() const { return before_; }
  CUDAStream current_stream() const { return stream_; }

 private:
  CUDAStream stream_, before_;
  int device_before_;
};

// A point in a stream's work, to wait for. It is nowhere until record().
class TENSORLIB_API CUDAEvent {
 public:
  CUDAEvent();
  CUDAEvent(CUDAEvent&& other) noexcept;
  CUDAEvent& operator=(CUDAEvent&& other) noexcept;
  ~CUDAEvent();

  bool isCreated() const { return state_ != nullptr; }
  // Behind all that is in the (current) stream now.
  void record(CallSite site = CallSite::current());
  void record(const CUDAStream& stream);
  // Work put into the stream from now on waits for the event.
  void block(const CUDAStream& stream) const;
  // Whether the event has come; true of one that was never recorded.
  bool query() const;
  // The host waits for it.
  void synchronize() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whether operations check the order of streams, in the whole process. Off at first: a check costs
// an operation a lock and a few comparisons.
TENSORLIB_API void set_stream_checks(bool on);
TENSORLIB_API bool stream_checks();

}  // namespace cuda

}  // namespace tensorlib
