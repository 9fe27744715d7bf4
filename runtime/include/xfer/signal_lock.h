#pragma once
// Taking a lock in a signal handler. Another thread that holds it is done with it in a moment; when
// it is the thread that was interrupted, it never is, so the wait is bounded.

#include <time.h>

#include <mutex>

namespace xfer {

/// Does not own the mutex when it did not become free within 50 ms.
inline std::unique_lock<std::mutex> lock_from_signal(std::mutex& mutex) {
  std::unique_lock lock(mutex, std::try_to_lock);
  for (int tries = 0; !lock.owns_lock() && tries < 100; ++tries) {
    const timespec moment{0, 500'000};
    nanosleep(&moment, nullptr);
    lock.try_lock();
  }
  return lock;
}

}  // namespace xfer
