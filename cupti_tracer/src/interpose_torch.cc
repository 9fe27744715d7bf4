// PyTorch and LibTorch cut tensors from large blocks that they keep. Their allocator tells c10's
// profiler of each tensor's memory; standing in front of that function, where the library is
// preloaded, is how the engine learns which bytes are one tensor, and when it is gone.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "annotations.h"
#include "cupti_api.h"

#define XFER_EXPORT __attribute__((visibility("default")))

namespace c10 {

/// c10::Device: passed by value, in one register.
struct Device {
  std::int8_t type;
  std::int8_t index;
};

/// LibTorch 2: `bytes` negative where the memory is given back.
XFER_EXPORT void reportMemoryUsageToProfiler(void* pointer, long bytes, unsigned long allocated,
                                             unsigned long reserved, Device device);
/// LibTorch 1.10 to 1.13.
XFER_EXPORT void reportMemoryUsageToProfiler(void* pointer, long bytes, long allocated,
                                             long reserved, Device device);

namespace {

constexpr std::int8_t kCuda = 1;

/// c10's own.
template <class Report>
Report* of_c10(std::atomic<Report*>& known, const char* mangled) {
  Report* found = known.load(std::memory_order_relaxed);
  if (found != nullptr) return found;
  found = reinterpret_cast<Report*>(xfer::tracer::loaded_function("libc10.so", mangled));
  known.store(found, std::memory_order_relaxed);
  return found;
}

using Report = void(void*, long, unsigned long, unsigned long, Device);
using OldReport = void(void*, long, long, long, Device);
constinit std::atomic<Report*> g_report{nullptr};
constinit std::atomic<OldReport*> g_old_report{nullptr};

void tell(const void* pointer, long bytes, Device device) {
  if (device.type != kCuda || pointer == nullptr || bytes == 0) return;
  if (bytes > 0)
    xfer::tracer::block_allocated(pointer, static_cast<std::size_t>(bytes), device.index);
  else
    xfer::tracer::block_released(pointer);
}

}  // namespace

void reportMemoryUsageToProfiler(void* pointer, long bytes, unsigned long allocated,
                                 unsigned long reserved, Device device) {
  tell(pointer, bytes, device);
  if (Report* const own = of_c10(g_report, "_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE"))
    own(pointer, bytes, allocated, reserved, device);
}

void reportMemoryUsageToProfiler(void* pointer, long bytes, long allocated, long reserved,
                                 Device device) {
  tell(pointer, bytes, device);
  if (OldReport* const own =
          of_c10(g_old_report, "_ZN3c1027reportMemoryUsageToProfilerEPvlllNS_6DeviceE"))
    own(pointer, bytes, allocated, reserved, device);
}

}  // namespace c10
