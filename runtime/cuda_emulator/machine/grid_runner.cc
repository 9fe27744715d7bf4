#include "machine/grid_runner.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "machine/fiber.h"
#include "machine/grid_in_progress.h"

namespace xfer::emulator {
namespace {

enum class Waits { kNothing, kBlock, kWarp };

/// A stack and the thread of the block that runs on it now.
struct Worker {
  Fiber fiber;
  unsigned thread = 0;
  uint3 position{};
  Waits waits = Waits::kNothing;
  int predicate = 0;  // what it brought to a block barrier
  unsigned mask = 0;  // and to a warp operation
  unsigned char value[kMaxLaneBytes] = {};
  BlockVote vote{};  // what it takes along
  unsigned met = 0;

  unsigned warp() const { return thread / kWarpSize; }
  unsigned lane() const { return thread % kWarpSize; }
};

class GridRunner final : public GridInProgress {
 public:
  static GridRunner& instance() {
    static auto* const runner = new GridRunner;
    return *runner;
  }

  std::string run(const HostVersion& kernel, const LaunchContext& context, void** args) {
    failure_[0] = '\0';
    set_grid_in_progress(this);
    kernel.run(&context, args);
    set_grid_in_progress(nullptr);
    if (failure_[0] != '\0') workers_.clear();  // their stacks are in the middle of something
    return failure_;
  }
  void for_each_thread(const LaunchContext& context, ThreadState* state, void (*body)(void*),
                       void* closure);
  BlockVote sync_block(int predicate);
  unsigned sync_warp(unsigned mask, const void* value, std::size_t bytes,
                     const unsigned char (**lanes)[kMaxLaneBytes]);
  bool fail(const char* what) override;
  [[noreturn]] void leave() override;
  bool in_code() const override { return false; }  // not told apart from the runner's own

 private:
  static constexpr unsigned kMaxWarps = 1024 / kWarpSize;

  void run_block();
  static void run_threads(void* self);
  void put_aside(Worker* worker);
  void go_on();
  bool release_warps(bool whole);
  bool release_block();
  Worker* idle_worker();

  ThreadState* state_ = nullptr;
  void (*body_)(void*) = nullptr;
  void* closure_ = nullptr;
  unsigned threads_ = 0;  // in the block
  unsigned next_ = 0;     // the first that has not started
  uint3 next_position_{};
  Worker* current_ = nullptr;
  std::vector<Worker*> waiting_;
  std::vector<Worker*> released_;
  std::vector<Worker*> idle_;
  unsigned char lanes_[kMaxWarps][kWarpSize]
                      [kMaxLaneBytes];            // brought to each warp's latest operation
  std::vector<std::unique_ptr<Worker>> workers_;  // kept from grid to grid
  char failure_[256] = "";
};

void GridRunner::for_each_thread(const LaunchContext& context, ThreadState* state,
                                 void (*body)(void*), void* closure) {
  // Device memory for dynamic shared data has an alignment that any type may rely on.
  const std::size_t shared_bytes = (context.dynamic_shared_bytes + 128) / 128 * 128;
  const std::unique_ptr<void, decltype(&std::free)> shared(std::aligned_alloc(128, shared_bytes),
                                                           &std::free);
  state_ = state;
  body_ = body;
  closure_ = closure;
  threads_ = context.block.x * context.block.y * context.block.z;
  state->block_dim = context.block;
  state->grid_dim = context.grid;
  state->dynamic_shared = shared.get();
  state->sync_block = [](int predicate) { return instance().sync_block(predicate); };
  state->sync_warp = [](unsigned mask, const void* value, std::size_t bytes,
                        const unsigned char (**lanes)[kMaxLaneBytes]) {
    return instance().sync_warp(mask, value, bytes, lanes);
  };
  state->trap = [] {
    instance().fail(kTrapped);
    instance().leave();
  };
  for (unsigned z = 0; z < context.grid.z; ++z) {
    for (unsigned y = 0; y < context.grid.y; ++y) {
      for (unsigned x = 0; x < context.grid.x; ++x) {
        state->block = {x, y, z};
        run_block();
        if (failure_[0] != '\0') return;
      }
    }
  }
}

void GridRunner::run_block() {
  next_ = 0;
  next_position_ = {0, 0, 0};
  waiting_.clear();
  idle_.clear();
  for (const auto& worker : workers_) idle_.push_back(worker.get());
  while (failure_[0] == '\0') {
    if (next_ < threads_) {
      current_ = idle_worker();
      current_->waits = Waits::kNothing;
      current_->fiber.start(&run_threads, this);
      put_aside(current_);
    } else if (waiting_.empty()) {
      return;
    } else if (!release_warps(true) && !release_block()) {
      // Lanes that a mask names are elsewhere: those that came go on without them.
      release_warps(false);
    }
  }
}

// On a fiber: threads that have not started, one after the other.
void GridRunner::run_threads(void* raw) {
  auto& self = *static_cast<GridRunner*>(raw);
  Worker& worker = *self.current_;
  uint3& position = self.next_position_;
  while (self.next_ < self.threads_) {
    worker.thread = self.next_++;
    worker.position = position;
    self.state_->thread = position;
    if (++position.x == self.state_->block_dim.x) {
      position.x = 0;
      if (++position.y == self.state_->block_dim.y) {
        position.y = 0;
        ++position.z;
      }
    }
    self.body_(self.closure_);
  }
}

void GridRunner::put_aside(Worker* worker) {
  (worker->waits == Waits::kNothing ? idle_ : waiting_).push_back(worker);
}

Worker* GridRunner::idle_worker() {
  if (idle_.empty()) {
    workers_.push_back(std::make_unique<Worker>());
    return workers_.back().get();
  }
  Worker* const worker = idle_.back();
  idle_.pop_back();
  return worker;
}

// Everyone in released_, each until it waits again or returns.
void GridRunner::go_on() {
  for (Worker* const worker : released_) {
    state_->thread = worker->position;
    current_ = worker;
    worker->waits = Waits::kNothing;
    worker->fiber.resume();
    if (failure_[0] != '\0') return;
    put_aside(worker);
  }
}

bool GridRunner::release_block() {
  BlockVote vote{};
  for (const Worker* const worker : waiting_) {
    if (worker->waits != Waits::kBlock) return false;
    ++vote.arrived;
    if (worker->predicate != 0) ++vote.holding;
  }
  released_.swap(waiting_);
  waiting_.clear();
  for (Worker* const worker : released_) worker->vote = vote;
  go_on();
  return true;
}

// Lets warps go whose lanes have all come (or returned); or, if not `whole`, those of one operation
// that have.
bool GridRunner::release_warps(bool whole) {
  unsigned present[kMaxWarps] = {};
  Worker* by_lane[kMaxWarps][kWarpSize];
  for (Worker* const worker : waiting_) {
    present[worker->warp()] |= 1u << worker->lane();
    by_lane[worker->warp()][worker->lane()] = worker;
  }
  released_.clear();
  for (unsigned warp = 0; warp < kMaxWarps; ++warp) {
    for (unsigned left = present[warp]; left != 0;) {
      const Worker& first = *by_lane[warp][__builtin_ctz(left)];
      unsigned group = 0;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if ((left >> lane & 1u) == 0) continue;
        const Worker& other = *by_lane[warp][lane];
        if (other.waits == first.waits && other.mask == first.mask) group |= 1u << lane;
      }
      left &= ~group;
      if (first.waits != Waits::kWarp) continue;
      if (whole && (first.mask & present[warp] & ~group) != 0) continue;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if ((group >> lane & 1u) == 0) continue;
        Worker& worker = *by_lane[warp][lane];
        worker.met = group;
        worker.waits = Waits::kNothing;
        std::memcpy(lanes_[warp][lane], worker.value, kMaxLaneBytes);
        released_.push_back(&worker);
      }
      if (!whole) left = 0, warp = kMaxWarps - 1;
    }
  }
  if (released_.empty()) return false;
  std::erase_if(waiting_, [](const Worker* worker) { return worker->waits == Waits::kNothing; });
  go_on();
  return true;
}

BlockVote GridRunner::sync_block(int predicate) {
  Worker& self = *current_;
  self.predicate = predicate;
  self.waits = Waits::kBlock;
  self.fiber.leave();
  return self.vote;
}

unsigned GridRunner::sync_warp(unsigned mask, const void* value, std::size_t bytes,
                               const unsigned char (**lanes)[kMaxLaneBytes]) {
  Worker& self = *current_;
  self.mask = mask;
  std::memcpy(self.value, value, bytes);
  self.waits = Waits::kWarp;
  self.fiber.leave();
  *lanes = lanes_[self.warp()];
  return self.met;
}

bool GridRunner::fail(const char* what) {
  const bool first = failure_[0] == '\0';
  std::snprintf(failure_, sizeof(failure_), "%s", what);
  return first;
}

void GridRunner::leave() {
  current_->fiber.leave();
  __builtin_unreachable();  // nobody resumes it
}

}  // namespace

std::string run_grid(const HostVersion& kernel, dim3 grid, dim3 block,
                     std::size_t dynamic_shared_bytes, void** args) {
  LaunchContext context{};
  context.grid = grid;
  context.block = block;
  context.dynamic_shared_bytes = dynamic_shared_bytes;
  context.for_each_thread = [](const LaunchContext* launch, ThreadState* state, void (*body)(void*),
                               void* closure) {
    GridRunner::instance().for_each_thread(*launch, state, body, closure);
  };
  return GridRunner::instance().run(kernel, context, args);
}

}  // namespace xfer::emulator
