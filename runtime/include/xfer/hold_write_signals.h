#pragma once
// A write beyond the limit on the size of files raises SIGXFSZ, one into a pipe that nobody reads
// raises SIGPIPE, and either ends the program. While this object lives a write of this thread fails
// with an error code instead; the program's own writes go on as before. Async-signal-safe.

#include <pthread.h>
#include <time.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>

namespace xfer {

class HoldWriteSignals {
 public:
  HoldWriteSignals() noexcept {
    const int saved = errno;
    sigset_t pending;
    sigpending(&pending);
    sigset_t both;
    sigemptyset(&both);
    sigemptyset(&ours_);
    for (const int signal : {SIGXFSZ, SIGPIPE}) {
      sigaddset(&both, signal);
      if (sigismember(&pending, signal) != 1) sigaddset(&ours_, signal);
    }
    held_ = pthread_sigmask(SIG_BLOCK, &both, &before_) == 0;
    errno = saved;
  }
  /// errno stays as it is.
  ~HoldWriteSignals() {
    if (!held_) return;
    const int saved = errno;
    const timespec none{};
    while (sigtimedwait(&ours_, nullptr, &none) > 0 || errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = saved;
  }
  HoldWriteSignals(const HoldWriteSignals&) = delete;
  HoldWriteSignals& operator=(const HoldWriteSignals&) = delete;

 private:
  sigset_t ours_;  // what is pending at the end and was not at the beginning is a write's
  sigset_t before_;
  bool held_ = false;
};

}  // namespace xfer
