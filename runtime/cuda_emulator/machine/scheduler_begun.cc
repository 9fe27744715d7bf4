// Work that has begun and is not over: it waits for the host, or for other streams.

#include <chrono>
#include <thread>
#include <utility>

#include "machine/scheduler.h"

namespace xfer::emulator {
namespace {

// The program may wait for it without a call.
constexpr auto kBetweenParts = std::chrono::milliseconds(1);

}  // namespace

bool Scheduler::run_beside(const Stream& stream) {
  bool moved = false;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream& other = *streams_[i];
    Stream* blocker = nullptr;
    if (&other != &stream && !other.queue.empty() && can_run(other, &blocker))
      moved |= run_head(other);
  }
  return moved;
}

void Scheduler::go_on_with_what_has_begun() {
  if (std::exchange(going_on_, true)) return;
  start_helper([this, mutex = mutex_] {
    while (!ending_) {
      std::this_thread::sleep_for(kBetweenParts);
      const Lock lock(*mutex);
      if (run_what_has_begun()) continue;
      going_on_ = false;
      return;
    }
  });
}

/// Whether there is still any.
bool Scheduler::run_what_has_begun() {
  bool left = false;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream& stream = *streams_[i];
    if (stream.queue.empty() || !stream.queue.front().begun) continue;
    if (!run_head(stream))
      left = true;
    else if (schedule_ == Schedule::kEager)
      run_everything();
  }
  return left;
}

}  // namespace xfer::emulator
