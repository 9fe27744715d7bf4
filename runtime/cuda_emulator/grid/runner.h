#pragma once
// Runs a grid: block after block, and in a block thread after thread, on one stack as long as none
// waits. One that must wait is put aside on its stack, and others go on, in this order: those whose
// wait is over; threads that have not started; those that yielded. When all that is left has
// yielded without effect the next block starts beside the ones that are there, as many as a device
// holds. When there is none left, or they have all started, it waits for the host.

#include <deque>
#include <memory>
#include <vector>

#include "grid/grid_run.h"
#include "grid/launch.h"
#include "grid/meeting.h"
#include "grid/resident.h"
#include "grid/worker.h"
#include "machine/time_limit.h"

namespace xfer::emulator::grid {

class Runner final : public GridRun {
 public:
  void start(const Launch& launch, SharedGrid& grid) override;
  /// Begins with a block of the launch that was on the device already. Any number of them.
  void take_over(Interrupted& block);
  void go_on(bool patient) override;
  bool stopped() const override { return stopped_; }
  bool takes_warps() const override { return false; }
  bool asks_for_warps() const override { return asks_for_warps_; }
  std::uint64_t work() const override { return work_; }
  void finish() override;

  // For the services, on the stack of the thread that asks.

  /// Puts the thread aside after a call of Resident's that said that it must wait.
  void wait(Worker& worker);
  /// The thread did not have to wait; one that never has to lets others go on now and then.
  void pass(Worker& worker);
  void yield(Worker& worker);
  void pause(Worker& worker);

  [[noreturn]] void leave() override;

 private:
  void run_blocks();
  void run_threads();
  void ask_for_warps();
  bool begin_block();
  void start_next_block();
  Resident& free_block();
  void begin_threads(Resident& block);  // one that is free
  void resume(Worker& worker);
  void end_pauses();
  void take_turn();
  void queue_released();
  void got_further();
  /// No thread got further in a whole round of those that yielded: starts a block, or else naps.
  void start_or_nap();
  bool unlock_stuck();
  /// A thread that yields or waits, if there is one, stands for all that do not get further.
  void fail_at(const Worker* waiting, const char* what);
  Worker& idle_worker();
  void put_aside(Worker& worker);

  const Launch* launch_ = nullptr;
  const TimeLimit* limit_ = nullptr;
  std::chrono::nanoseconds time_left_{};
  unsigned most_naps_ = 0;  // before it stops for the host
  bool stopped_ = false;
  std::uint64_t work_ = 0;
  std::uint64_t enough_ = 0;  // of it, until it asks
  bool asks_for_warps_ = false;
  MeetingPool meetings_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> idle_;
  std::vector<std::unique_ptr<Resident>> all_;  // by multiprocessor, in turn
  std::vector<Resident*> resident_;
  std::vector<Resident*> free_;

  Worker* current_ = nullptr;
  Resident* starting_ = nullptr;    // has threads that have not started
  std::deque<Resident*> to_start_;  // then these
  std::vector<Worker*> released_;
  std::deque<Worker*> ready_;
  std::vector<Worker*> paused_;
  std::deque<Worker*> round_;  // yielded, and have their turn
  std::deque<Worker*> next_round_;
  bool moved_ = false;        // somebody got further in this round
  std::uint64_t yields_ = 0;  // since a thread started or ended
  unsigned naps_ = 0;         // likewise
  unsigned rounds_ = 0;       // in which nobody moved
};

}  // namespace xfer::emulator::grid
