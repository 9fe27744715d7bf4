#pragma once
// Threads of the host that run a grid together. They are made when they are first needed and wait
// for the next grid.

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "grid/shared_grid.h"

namespace xfer::emulator::grid {

class Crew {
 public:
  /// The process's; a process that was forked has one of its own.
  static Crew& instance();

  /// Calls work() in the calling thread and in others, all in all at most as many as the grid has
  /// parties. Comes back when all have. Where one has given the grid up the others are made to
  /// leave it.
  void run(const SharedGrid& grid, const std::function<void()>& work);

 private:
  explicit Crew(pid_t process) : process_(process) {}
  bool add_helper();
  void help(unsigned number);
  /// With the lock held, which it lets go while it works.
  void take_part(unsigned number, std::unique_lock<std::mutex>& lock);
  void stop_others(std::unique_lock<std::mutex>& lock);

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable begins_, ends_;
  unsigned helpers_ = 0;
  std::uint64_t run_ = 0;  // counts them
  const SharedGrid* grid_ = nullptr;
  const std::function<void()>* work_ = nullptr;
  std::vector<bool> called_;  // by number: has not taken up its part yet
  std::vector<pid_t> busy_;   // threads in work()
};

}  // namespace xfer::emulator::grid
