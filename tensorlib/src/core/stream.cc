#include "backend/platform.h"
#include "core/check.h"
#include "core/stream_order.h"
#include "tensorlib/cuda.h"
#include "tensorlib/cuda_stream.h"

namespace tensorlib {

StreamError::~StreamError() = default;

namespace cuda {

namespace {

CudaPlatform& platform() { return *cuda_platform(); }

// The index, or the current device's where it is -1.
DeviceIndex checked_index(DeviceIndex device, CallSite site) {
  return resolve(device < 0 ? Device(kCUDA) : Device(kCUDA, device), site).index();
}

}  // namespace

bool CUDAStream::query() const {
  if (!platform().is_stream_done(device_, stream_)) return false;
  stream_order::note_host_wait(*this);
  return true;
}

void CUDAStream::synchronize() const {
  platform().wait_for_stream(device_, stream_);
  stream_order::note_host_wait(*this);
}

std::ostream& operator<<(std::ostream& out, const CUDAStream& stream) {
  const size_t number = stream_order::number_on_device(stream);
  if (number == 0) return out << "the default stream of " << stream.device();
  return out << "stream " << number << " of " << stream.device();
}

CUDAStream getStreamFromPool(bool high_priority, DeviceIndex device, CallSite site) {
  const DeviceIndex index = checked_index(device, site);
  return {index, platform().stream_from_pool(index, high_priority)};
}
CUDAStream getDefaultCUDAStream(DeviceIndex device, CallSite site) {
  return {checked_index(device, site), nullptr};
}
CUDAStream getCurrentCUDAStream(DeviceIndex device, CallSite site) {
  const DeviceIndex index = checked_index(device, site);
  return {index, platform().current_stream(index)};
}
void setCurrentCUDAStream(CUDAStream stream) {
  platform().set_current_stream(stream.device_index(), stream.stream());
}

CUDAStreamGuard::CUDAStreamGuard(CUDAStream stream)
    : stream_(stream),
      before_(getCurrentCUDAStream(stream.device_index(), CallSite::none())),
      device_before_(platform().current_device()) {
  platform().set_current_device(stream.device_index());
  setCurrentCUDAStream(stream);
}
CUDAStreamGuard::~CUDAStreamGuard() {
  setCurrentCUDAStream(before_);
  platform().set_current_device(device_before_);
}

struct CUDAEvent::State {
  void* event = nullptr;
  stream_order::Clock clock;
  ~State() {
    if (event != nullptr) platform().drop_event(event);
  }
};

CUDAEvent::CUDAEvent() = default;
CUDAEvent::CUDAEvent(CUDAEvent&&) noexcept = default;
CUDAEvent& CUDAEvent::operator=(CUDAEvent&&) noexcept = default;
CUDAEvent::~CUDAEvent() = default;

void CUDAEvent::record(CallSite site) { record(getCurrentCUDAStream(-1, site)); }

void CUDAEvent::record(const CUDAStream& stream) {
  // An event belongs to a device: on another one a new one is made.
  state_ = std::make_unique<State>();
  state_->event = platform().record_event(nullptr, stream.device_index(), stream.stream());
  state_->clock = stream_order::clock_of(stream);
}

void CUDAEvent::block(const CUDAStream& stream) const {
  if (state_ == nullptr) return;
  platform().order_after_event(stream.device_index(), stream.stream(), state_->event);
  stream_order::note_wait(stream, state_->clock);
}

bool CUDAEvent::query() const {
  if (state_ == nullptr) return true;
  if (!platform().is_event_done(state_->event)) return false;
  stream_order::note_host_wait(state_->clock);
  return true;
}

void CUDAEvent::synchronize() const {
  if (state_ == nullptr) return;
  platform().wait_for_event(state_->event);
  stream_order::note_host_wait(state_->clock);
}

void set_stream_checks(bool on) { on ? stream_order::start() : stream_order::checked.store(false); }
bool stream_checks() { return stream_order::is_checked(); }

}  // namespace cuda

}  // namespace tensorlib
