#pragma once
// How long a kernel may run. When the time is over the calling thread gets a signal, again and
// again, so that a loop without end is left even if nothing in it can be asked to stop. The signal
// is SIGSEGV, with a mark that no fault has: its handler is there already, and no signal of the
// program's is taken.

#include <signal.h>
#include <time.h>

#include <chrono>

namespace xfer::emulator {

inline constexpr const char* kTooLong =
    "kernel ran longer than the seconds that XFERCHECK_OPTIONS=emulate_kernel_limit allows";

class TimeLimit {
 public:
  /// Of the calling thread, which must end it too. Of no time: there is none.
  explicit TimeLimit(std::chrono::nanoseconds time);
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  ~TimeLimit();

  bool over() const;
  /// Some, even where it is over; none where there is no limit.
  std::chrono::nanoseconds left() const;

 private:
  timespec end_{};  // seconds of 0: there is none
  timer_t timer_{};
  bool has_timer_ = false;
};

/// Whether a signal says that time is over. Async-signal-safe.
bool is_time_limit(const siginfo_t& info);

}  // namespace xfer::emulator
