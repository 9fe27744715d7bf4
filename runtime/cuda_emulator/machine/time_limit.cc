#include "machine/time_limit.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

// Named by the manual, but not by every C library's header.
#if !defined(sigev_notify_thread_id)
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace xfer::emulator {
namespace {

constexpr long kAgainNs = 20'000'000;  // it may have come when nothing could be left

int mark;  // its address is what the signal carries

}  // namespace

TimeLimit::TimeLimit(std::chrono::nanoseconds time) {
  if (time == time.zero()) return;
  clock_gettime(CLOCK_MONOTONIC, &end_);
  const auto end = std::chrono::nanoseconds(end_.tv_nsec) + time;
  end_.tv_sec += static_cast<time_t>(end / std::chrono::seconds(1));
  end_.tv_nsec = static_cast<long>((end % std::chrono::seconds(1)).count());
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGSEGV;
  event.sigev_value.sival_ptr = &mark;
  event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
  if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) return;  // over() still tells
  has_timer_ = true;
  itimerspec when{};
  when.it_value = end_;
  when.it_interval.tv_nsec = kAgainNs;
  timer_settime(timer_, TIMER_ABSTIME, &when, nullptr);
}

TimeLimit::~TimeLimit() {
  if (has_timer_) timer_delete(timer_);
}

bool TimeLimit::over() const {
  if (end_.tv_sec == 0) return false;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec > end_.tv_sec || (now.tv_sec == end_.tv_sec && now.tv_nsec >= end_.tv_nsec);
}

std::chrono::nanoseconds TimeLimit::left() const {
  if (end_.tv_sec == 0) return std::chrono::nanoseconds::zero();
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto left = std::chrono::seconds(end_.tv_sec - now.tv_sec) +
                    std::chrono::nanoseconds(end_.tv_nsec - now.tv_nsec);
  return std::max<std::chrono::nanoseconds>(left, std::chrono::nanoseconds(1));
}

bool is_time_limit(const siginfo_t& info) {
  return info.si_code == SI_TIMER && info.si_value.sival_ptr == &mark;
}

}  // namespace xfer::emulator
