#pragma once
// The sums of a run: how much was copied which way, launched, waited for. Single-threaded, O(1) an
// event; memory is bounded (device times of older calls than the last quarter million are lost).

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "detect/remembered.h"
#include "xfer/event.h"
#include "xfer/trace_reader.h"

namespace xfer {

class TraceStats {
 public:
  void add(const Event& event);
  /// Names of kernels are looked up in the trace.
  nlohmann::ordered_json to_json(const TraceReader& trace) const;

 private:
  enum Work {
    kHostToDevice,
    kDeviceToHost,
    kDeviceToDevice,
    kPeer,
    kOtherCopy,
    kFill,
    kLaunches,
    kWorks
  };
  struct Sum {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::uint64_t host_ns = 0;
    std::uint64_t device_ns = 0;
  };
  static Work direction(const Event& event);

  std::array<Sum, kWorks> sums_{};
  Sum syncs_;
  Sum allocations_;
  std::map<std::uint32_t, std::uint64_t> skipped_;  // by name
  std::uint64_t failed_ = 0;
  std::uint64_t captured_ = 0;
  std::uint64_t dropped_ = 0;
  bool gaps_ = false;
  std::uint64_t events_ = 0;
  std::uint64_t first_ns_ = UINT64_MAX;
  std::uint64_t last_ns_ = 0;
  Remembered<std::uint64_t, Work> by_correlation_{std::size_t{1} << 18};
};

}  // namespace xfer
