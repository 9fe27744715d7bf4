#pragma once
// A block that is on the device: who of its threads lives, waits, and for what. It decides when a
// wait is over; the runner decides who runs next.

#include <array>
#include <cstdint>
#include <vector>

#include "grid/interrupted.h"
#include "grid/launch.h"
#include "grid/meeting.h"
#include "grid/worker.h"
#include "kernels/frame.h"

namespace xfer::emulator::grid {

class Resident {
 public:
  static constexpr unsigned kBarriers = 16;

  /// `released` gets the workers whose wait is over, in the order in which they shall go on.
  Resident(MeetingPool& meetings, std::vector<Worker*>& released)
      : meetings_(meetings), released_(released) {}
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;

  /// Becomes another block. Shared memory keeps what the block before left there.
  void begin(const Launch& launch, const kernels::Services& services, dim3 index,
             std::uint32_t multiprocessor);

  /// Becomes a block whose warps left.
  void resume(const Launch& launch, const kernels::Services& services, Interrupted& block);

  bool has_more() const { return next_ < threads_; }
  bool done() const { return live_ == 0; }
  /// All that are left wait for each other: nobody outside can help them.
  bool stuck() const { return live_ != 0 && waiting_ == live_; }

  /// Gives the worker the next thread that has not started, or was not resumed.
  void start_next(Worker& worker);
  /// The worker's thread has returned.
  void finish(Worker& worker);
  /// The thread stops for now, or goes on, without waiting for anyone in the block.
  void rest(Worker& worker);
  void go_on(Worker& worker) { warp_of(worker).stopped &= ~worker.bit(); }

  /// True: the others were there, and the thread may go on. False: it is put aside, and is in
  /// `released` when its wait is over.
  bool meet(Worker& worker, const MeetingKey& key, const void* value, std::size_t bytes);
  bool sync(Worker& worker, std::uint32_t id, std::uint32_t count, std::uint32_t predicate);
  void arrive(std::uint32_t id, std::uint32_t count);

  /// Of a block that is stuck: one that waits at a barrier; null: none does.
  const Worker* first_waiting() const;
  /// Of a block that is stuck: lanes that wait for others go on without them. False: there are
  /// none, and what is left waits for ever.
  bool unlock();

 private:
  struct Warp {
    std::uint32_t live = 0;  ///< has not returned, though it may not have started
    std::uint32_t stopped = 0;
    std::vector<Meeting*> pending;
  };
  struct Barrier {
    std::uint32_t count = 0;    ///< 0: all that live
    std::uint32_t arrived = 0;  ///< by bar.arrive
    std::uint32_t holding = 0;
    std::vector<Worker*> waiting;
  };

  /// Passes a thread by that has been given away, and those behind it that have ended.
  void pass_by();
  void pass_by_ended();

  Warp& warp_of(const Worker& worker) { return warps_[worker.warp()]; }
  void wait(Worker& worker);
  void wake(Worker& worker);
  void let_go(Worker& worker);
  /// All come but one, which need not be woken.
  void complete(Warp& warp, Meeting* meeting, const Worker* present);
  void complete(Barrier& barrier, const Worker* present);
  bool is_complete(const Barrier& barrier) const;
  /// The warp may have come to a stop.
  void check_stop(Warp& warp);

  MeetingPool& meetings_;
  std::vector<Worker*>& released_;
  kernels::Block frame_;
  unsigned threads_ = 0;
  unsigned next_ = 0;
  dim3 next_index_;
  unsigned live_ = 0;
  unsigned waiting_ = 0;  ///< those that only others of the block can wake
  std::array<Warp, 1024 / kLanes> warps_;
  std::array<Barrier, kBarriers> barriers_;
  SharedMemory shared_;
  const Interrupted* interrupted_ = nullptr;  ///< what it was
};

}  // namespace xfer::emulator::grid
