#pragma once
// A part of a run: what one thread called in a span of time.

#include <cstdint>

#include "xfer/event.h"

namespace xfer {

struct Window {
  std::uint32_t thread = 0;  ///< 0: any
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = UINT64_MAX;  ///< of the host clock; a call that began before it is in

  bool holds(const Event& event) const {
    return (thread == 0 || event.thread == thread) && event.begin_ns >= begin_ns &&
           event.begin_ns < end_ns;
  }
};

}  // namespace xfer
