#include "grid/crew.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>

#include "machine/stop_request.h"

namespace xfer::emulator::grid {
namespace {

/// The program's signals are for the program's threads; faults are for whoever faults.
class OnlyFaults {
 public:
  OnlyFaults() {
    sigset_t set;
    sigfillset(&set);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
      sigdelset(&set, fault);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  OnlyFaults(const OnlyFaults&) = delete;
  OnlyFaults& operator=(const OnlyFaults&) = delete;
  ~OnlyFaults() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

Crew& Crew::instance() {
  static Crew* crew = nullptr;
  if (crew == nullptr || crew->process_ != getpid()) crew = new Crew(getpid());
  return *crew;
}

void Crew::run(const SharedGrid& grid, const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  while (helpers_ + 1 < grid.parties() && add_helper()) {
  }
  grid_ = &grid;
  work_ = &work;
  called_.assign(std::min(grid.parties(), helpers_ + 1), true);
  begins_.notify_all();
  take_part(0, lock);
  called_.clear();  // whoever has not come yet need not
  ends_.wait(lock, [&] { return busy_.empty(); });
  grid_ = nullptr;
  ++run_;
}

bool Crew::add_helper() try {
  const OnlyFaults mask;
  const unsigned number = helpers_ + 1;
  std::thread([this, number] { help(number); }).detach();
  helpers_ = number;
  return true;
} catch (const std::system_error&) {
  return false;
}

void Crew::help(unsigned number) {
  std::unique_lock lock(mutex_);
  while (true) {
    begins_.wait(lock, [&] { return number < called_.size() && called_[number]; });
    take_part(number, lock);
  }
}

void Crew::take_part(unsigned number, std::unique_lock<std::mutex>& lock) {
  const pid_t self = this_thread_id();
  called_[number] = false;
  busy_.push_back(self);
  lock.unlock();
  (*work_)();
  lock.lock();
  std::erase(busy_, self);
  if (busy_.empty()) ends_.notify_all();
  stop_others(lock);
}

void Crew::stop_others(std::unique_lock<std::mutex>& lock) {
  // Time for those that see by themselves that the grid has failed.
  constexpr auto kPause = std::chrono::milliseconds(20);
  const std::uint64_t run = run_;
  const auto is_over = [&] { return run != run_ || busy_.empty() || !grid_->failed(); };
  while (!is_over()) {
    ends_.wait_for(lock, kPause);
    if (is_over()) return;
    for (const pid_t thread : busy_) request_stop(thread);
  }
}

}  // namespace xfer::emulator::grid
