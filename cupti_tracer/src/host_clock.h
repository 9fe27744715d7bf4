#pragma once
// The clock of all times in a trace: monotonic nanoseconds, some 25 ns to read. And what the
// calling thread had of the processor, some 200 ns to read.

#include <cstdint>
#include <ctime>

namespace xfer::tracer {

inline std::uint64_t clock_ns(clockid_t clock) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

inline std::uint64_t host_clock_ns() noexcept { return clock_ns(CLOCK_MONOTONIC); }
inline std::uint64_t thread_work_ns() noexcept { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace xfer::tracer
