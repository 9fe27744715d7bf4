// Stands in front of the C library's clocks, where the library is preloaded, to see when the
// program reads one.

#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <ctime>

#include "program_clock.h"

#define XFER_EXPORT __attribute__((visibility("default")))

namespace {

/// The next library's, found at the first use.
template <typename Function>
class Next {
 public:
  explicit constexpr Next(const char* name) : name_(name) {}
  Function* get() noexcept {
    Function* found = found_.load(std::memory_order_relaxed);
    if (found == nullptr) {
      found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      found_.store(found, std::memory_order_relaxed);
    }
    return found;
  }

 private:
  const char* name_;
  std::atomic<Function*> found_{nullptr};
};

constinit Next<int(clockid_t, timespec*)> g_clock_gettime("clock_gettime");
constinit Next<int(timeval*, void*)> g_gettimeofday("gettimeofday");
constinit Next<std::clock_t()> g_clock("clock");

// So that a signal handler, which may call them, need not.
__attribute__((constructor)) void find_all() {
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
