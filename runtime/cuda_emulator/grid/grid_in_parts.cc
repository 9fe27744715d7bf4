// Runs a grid in one or several host threads, for a limited time at once.

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "grid/crew.h"
#include "grid/grid_run.h"
#include "grid/launch.h"
#include "grid/runner.h"
#include "grid/shared_grid.h"
#include "grid/warp_runner.h"

namespace xfer::emulator::grid {
namespace {

using Runs = std::vector<std::unique_ptr<GridRun>>;

/// Those that run no grid; the last is taken first. Their stacks are kept from grid to grid.
Runs& idle_runs(bool warps) {
  static auto* const idle = new std::array<Runs, 2>;
  return (*idle)[warps ? 1 : 0];
}

std::unique_ptr<GridRun> take_run(bool warps) {
  Runs& idle = idle_runs(warps);
  if (idle.empty()) return warps ? new_warp_run() : std::make_unique<Runner>();
  std::unique_ptr<GridRun> run = std::move(idle.back());
  idle.pop_back();
  return run;
}

unsigned parties_of(const Launch& launch) {
  // Blocks of a cooperative launch wait for each other all the time.
  if (launch.workspace != 0) return 1;
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  return static_cast<unsigned>(std::min<std::uint64_t>(launch.parties, blocks));
}

}  // namespace

GridInParts::GridInParts(const Launch& launch) : launch_(launch) {}

GridInParts::~GridInParts() {
  if (runs_.empty()) return;
  grid_->fail("the program did not wait for it", nullptr);
  finish();
}

bool GridInParts::go_on(bool patient) {
  if (runs_.empty()) begin();
  if (runs_.size() == 1)
    go_on(runs_.front(), patient);
  else
    run_together(patient);
  if (!grid_->failed() && std::ranges::any_of(runs_, [](auto& run) { return run->stopped(); }))
    return false;
  failure_ = grid_->failure();
  finish();
  return true;
}

void GridInParts::begin() {
  grid_ = std::make_unique<SharedGrid>(launch_, parties_of(launch_));
  while (runs_.size() < grid_->parties()) runs_.push_back(take_run(launch_.warp != nullptr));
  for (const auto& run : runs_) {
    run->clock().reach(runs_.front()->clock());  // the latest: see finish()
    run->start(launch_, *grid_);
  }
}

void GridInParts::go_on(std::unique_ptr<GridRun>& run, bool patient) {
  run->go_on(patient);
  if (!run->asks_for_warps()) return;
  turn_to_warps(run);
  run->go_on(patient);
}

/// The blocks that nobody runs yet will be the warps', if there is code for them.
void GridInParts::turn_to_warps(std::unique_ptr<GridRun>& run) {
  const std::lock_guard lock(mutex_);
  if (launch_.make_warp) launch_.warp = std::exchange(launch_.make_warp, {})();
  if (launch_.warp == nullptr) return;
  std::unique_ptr<GridRun> warps = take_run(true);
  warps->clock().reach(run->clock());
  warps->start(launch_, *grid_);
  run.swap(warps);
  finish(std::move(warps));
}

void GridInParts::run_together(bool patient) {
  // A thread that is done takes another run: a stopped run goes on even if its thread never comes.
  std::atomic<std::size_t> next{0};
  Crew::instance().run(*grid_, [&] {
    for (std::size_t i = next++; i < runs_.size(); i = next++) go_on(runs_[i], patient);
  });
}

void GridInParts::finish(std::unique_ptr<GridRun> run) {
  left_warps_ = left_warps_ || run->left_warps();
  work_ += run->work();
  run->finish();
  Runs& idle = idle_runs(run->takes_warps());
  idle.push_back(std::move(run));
}

void GridInParts::finish() {
  // The first is taken first again, and has the latest clock.
  for (std::size_t i = runs_.size(); i-- > 0;) {
    GridRun& run = *runs_[i];
    finish(std::move(runs_[i]));
    if (i != 0) runs_.front()->clock().reach(run.clock());
  }
  runs_.clear();
}

Failure run(const Launch& launch) {
  GridInParts grid(launch);
  while (!grid.go_on(true)) {
  }
  return grid.failure();
}

}  // namespace xfer::emulator::grid
