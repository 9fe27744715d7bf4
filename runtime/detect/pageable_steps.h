#pragma once
// pageable-async, on every step
//
// Finds: a line that uploads large pieces of pageable memory again and again, with other work for a
// device in between, so that the host waits in each of them and the device has little else to do
// (look-alike: whether the memory can be pinned is not known): what moving a batch to the device
// comes to. The time in the calls and in the waits right after them is at least
// EngineOptions::least_pageable_percent of the time from the first to the last, and one percent of
// the time that devices were in use.
//
// Does not find: copies beside which the device works for half of their time or more, or whose time
// there is not known; copies that exposed-copy or slow-copy has; synchronous calls, whose program
// asked for the wait; downloads, whose results the host may need at once; rows of copies without
// other work between them (see blocking_row.h).
//
// Cost: O(log n) an upload. Memory: 32 bytes a copy, of the first million.

#include <cstdint>
#include <map>
#include <vector>

#include "detect/detector.h"
#include "detect/remembered.h"

namespace xfer {

class PageableSteps : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  bool upload(const CopyView& copy) override;
  void forget() override;
  void finish() override;

 private:
  struct Line {
    Event last{};
    Sizes sizes;
    Cost cost;
    std::uint64_t rounds = 0;  ///< copies that other work came before
    std::uint64_t work = 0;    ///< given to devices, up to the last copy
    std::vector<Loss> copies;  ///< the first ones
    std::vector<Span> spans;   ///< of theirs on the device
  };
  bool leaves_the_device_idle(const Line& line) const;
  void judge(const Line& line);

  std::map<std::uint32_t, Line> lines_;                                            ///< by call site
  Remembered<std::uint64_t, Line*> times_to_come_{scene_.options.max_remembered};  ///< by the call
  std::map<std::uint32_t, Line*> last_;  ///< by thread: of the copy that it made just now
  std::uint64_t work_ = 0;
  std::size_t kept_ = 0;
};

}  // namespace xfer
