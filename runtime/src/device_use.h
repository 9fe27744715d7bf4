#pragma once
// How long each device was at work of any kind, copies included, and how long at which kernels, by
// their times on the device.
//
// Cost: O(1) work, O(n log n) once. Memory: 16 bytes a piece of work, see BusyTimes, and an entry
// for each kernel's name.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "detect/busy_times.h"
#include "xfer/trace.h"

namespace xfer {

class DeviceUse {
 public:
  /// `kernel`: its name; 0: it is none, or a graph.
  void add(std::int32_t device, Span span, std::uint32_t kernel);

  /// {"devices": [{"device", "in_use_ns", "idle_ns"}], "kernels_by_time": [{"name", "count",
  /// "device_ns"}]}: from its first work to its last, and what it was idle of that; the kernels
  /// that took most, at most kMostKernels.
  void add_to(nlohmann::ordered_json& stats, const Trace& trace) const;

 private:
  static constexpr std::size_t kMostKernels = 100;
  struct Device {
    BusyTimes busy{0};
    Span in_use{UINT64_MAX, 0};
  };
  struct Kernel {
    std::uint64_t count = 0;
    std::uint64_t device_ns = 0;
  };
  std::map<std::int32_t, Device> devices_;
  std::map<std::uint32_t, Kernel> kernels_;  ///< by name
};

}  // namespace xfer
