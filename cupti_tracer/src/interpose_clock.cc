// Stands in front of the C library's clocks and of std::chrono's, where the library is preloaded,
// to see when the program reads one.

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <ctime>

#include "next_function.h"
#include "program_clock.h"

#define XFER_EXPORT __attribute__((visibility("default")))

namespace {

using xfer::tracer::NextFunction;

constinit NextFunction<int(clockid_t, timespec*)> g_clock_gettime("clock_gettime");
constinit NextFunction<int(timeval*, void*)> g_gettimeofday("gettimeofday");
constinit NextFunction<std::clock_t()> g_clock("clock");

// A time_point is returned as the number that it holds.
using Now = std::int64_t();
#define XFER_OLD_SYSTEM_CLOCK "_ZNSt6chrono12system_clock3nowEv"
#define XFER_STEADY_CLOCK "_ZNSt6chrono3_V212steady_clock3nowEv"
#define XFER_SYSTEM_CLOCK "_ZNSt6chrono3_V212system_clock3nowEv"
constinit NextFunction<Now> g_old_system_clock(XFER_OLD_SYSTEM_CLOCK);
constinit NextFunction<Now> g_steady_clock(XFER_STEADY_CLOCK);
constinit NextFunction<Now> g_system_clock(XFER_SYSTEM_CLOCK);

std::int64_t now(NextFunction<Now>& next, clockid_t clock, const void* caller) noexcept {
  xfer::tracer::note_clock_read(caller);
  if (const auto its = next.get(); its != nullptr) return its();
  timespec time{};
  syscall(SYS_clock_gettime, clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// So that a signal handler, which may call them, need not.
__attribute__((constructor)) void find_clocks() {
  g_clock_gettime.get();
  g_gettimeofday.get();
  g_clock.get();
  g_old_system_clock.get();
  g_steady_clock.get();
  g_system_clock.get();
}

}  // namespace

extern "C" {

XFER_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  xfer::tracer::note_clock_read(__builtin_return_address(0));
  const auto next = g_clock_gettime.get();
  return next != nullptr ? next(clock, time)
                         : static_cast<int>(syscall(SYS_clock_gettime, clock, time));
}

XFER_EXPORT int gettimeofday(timeval* time, void* zone) noexcept {
  xfer::tracer::note_clock_read(__builtin_return_address(0));
  const auto next = g_gettimeofday.get();
  return next != nullptr ? next(time, zone)
                         : static_cast<int>(syscall(SYS_gettimeofday, time, zone));
}

XFER_EXPORT std::clock_t clock() noexcept {
  xfer::tracer::note_clock_read(__builtin_return_address(0));
  const auto next = g_clock.get();
  return next != nullptr ? next() : static_cast<std::clock_t>(-1);
}

XFER_EXPORT std::int64_t old_system_clock() noexcept asm(XFER_OLD_SYSTEM_CLOCK);
std::int64_t old_system_clock() noexcept {
  return now(g_old_system_clock, CLOCK_REALTIME, __builtin_return_address(0));
}

XFER_EXPORT std::int64_t steady_clock() noexcept asm(XFER_STEADY_CLOCK);
std::int64_t steady_clock() noexcept {
  return now(g_steady_clock, CLOCK_MONOTONIC, __builtin_return_address(0));
}

XFER_EXPORT std::int64_t system_clock() noexcept asm(XFER_SYSTEM_CLOCK);
std::int64_t system_clock() noexcept {
  return now(g_system_clock, CLOCK_REALTIME, __builtin_return_address(0));
}
}
