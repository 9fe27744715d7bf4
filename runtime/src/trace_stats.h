#pragma once
// The sums of a run: how much was copied which way, launched, waited for. Single-threaded, O(1) an
// event; memory is bounded (device times of older calls than the last quarter million are lost).

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "detect/remembered.h"
#include "device_use.h"
#include "run_picture.h"
#include "xfer/event.h"
#include "xfer/tally.h"
#include "xfer/trace.h"

namespace xfer {

class TraceStats {
 public:
  void add(const Event& event);
  /// How fast the fastest large copy went, of those from the host (up) or to it. 0: there was none.
  std::uint64_t best_bytes_per_s(bool up) const {
    return sums_[up ? kHostToDevice : kDeviceToHost].best_bytes_per_s;
  }
  /// Names of kernels are looked up in the trace.
  nlohmann::ordered_json to_json(const Trace& trace) const;
  /// The first call's; times of the picture count from it.
  std::uint64_t begin_ns() const { return picture_.begin_ns(); }

 private:
  enum Work {  // the copies as in Direction
    kHostToDevice,
    kDeviceToHost,
    kWithinDevice,
    kBetweenDevices,
    kOtherCopy,
    kFill,
    kLaunches,
    kWorks
  };
  static RunPicture::Doing doing(Work work);
  struct Sum {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::uint64_t host_ns = 0;
    std::uint64_t device_ns = 0;
    std::uint64_t best_bytes_per_s = 0;  ///< of a copy large enough to tell
  };
  struct Called {
    Work work;
    std::uint64_t bytes;
    RunPicture::Lane lane;  ///< of the work that it gave
    std::uint32_t kernel = 0;
  };
  void device_time(const Event& event);

  struct OpenScope {
    std::uint32_t name = 0;
    std::uint64_t id = 0;
    Tally sums;
  };
  /// The bytes that each of a scope's instances sent and got, in their order. Of very many,
  /// neighbours are added up.
  struct Series {
    struct Bar {
      std::uint64_t h2d_bytes = 0;
      std::uint64_t d2h_bytes = 0;
    };
    static constexpr std::size_t kMostBars = 128;
    std::vector<Bar> bars;
    std::uint64_t instances_per_bar = 1;
    std::uint64_t in_last = 0;
    void add(const Tally& tally);
  };
  struct ScopeTotal {
    std::uint64_t count = 0;
    Tally sum;
    Tally most;  ///< in one of them
    Series series;
  };
  void count_in_scopes(const Event& event);
  void end_scope(const Event& event);
  void draw(const Event& event, RunPicture::Doing doing);
  /// Uploads that may bring the same again: by one line, of one size, three times or more.
  Sum same_size_uploads() const;

  std::array<Sum, kWorks> sums_{};
  std::map<std::uint32_t, std::vector<OpenScope>> open_;  // by thread, outermost first
  std::map<std::uint32_t, ScopeTotal> scopes_;            // by name
  Sum syncs_;
  Sum allocations_;
  Sum graph_copies_;                                // in sums_ too
  std::map<std::uint32_t, std::uint64_t> skipped_;  // by name
  std::uint64_t failed_ = 0;
  std::uint64_t captured_ = 0;
  std::uint64_t dropped_ = 0;
  bool gaps_ = false;
  std::uint64_t events_ = 0;
  std::uint64_t calls_ = 0;  ///< of CUDA, by the program
  std::uint64_t first_ns_ = UINT64_MAX;
  std::uint64_t last_ns_ = 0;
  Remembered<std::uint64_t, Called> by_correlation_{std::size_t{1} << 18};
  RunPicture picture_;
  DeviceUse use_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> uploads_;  ///< by site and bytes
};

}  // namespace xfer
