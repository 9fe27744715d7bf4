#pragma once
// The clock of all times in a trace: monotonic nanoseconds, some 25 ns to read.

#include <cstdint>
#include <ctime>

namespace xfer::tracer {

inline std::uint64_t host_clock_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace xfer::tracer
