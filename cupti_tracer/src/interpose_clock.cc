// Stands in front of the C library's clocks, where the library is preloaded, to see when the
// program reads one.

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <ctime>

#include "next_function.h"
#include "program_clock.h"

#define XFER_EXPORT __attribute__((visibility("default")))

namespace {

using xfer::tracer::NextFunction;

constinit NextFunction<int(clockid_t, timespec*)> g_clock_gettime("clock_gettime");
constinit NextFunction<int(timeval*, void*)> g_gettimeofday("gettimeofday");
constinit NextFunction<std::clock_t()> g_clock("clock");

// So that a signal handler, which may call them, need not.
__attribute__((constructor)) void find_clocks() {
  g_clock_gettime.get();
  g_gettimeofday.get();
  g_clock.get();
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
}
