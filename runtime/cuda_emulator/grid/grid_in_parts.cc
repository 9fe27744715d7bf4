// Who runs a grid, in how many threads of the host, and for how long they keep it.

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
    runs_.front()->go_on(patient);
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

void GridInParts::run_together(bool patient) {
  // Whoever is done takes another: one that stopped goes on even if its thread does not come.
  std::atomic<std::size_t> next{0};
  Crew::instance().run(*grid_, [&] {
    for (std::size_t i = next++; i < runs_.size(); i = next++) runs_[i]->go_on(patient);
  });
}

void GridInParts::finish() {
  Runs& idle = idle_runs(launch_.warp != nullptr);
  for (const auto& run : runs_) {
    left_warps_ = left_warps_ || run->left_warps();
    run->finish();
    runs_.front()->clock().reach(run->clock());
  }
  // The first is taken first again.
  for (; !runs_.empty(); runs_.pop_back()) idle.push_back(std::move(runs_.back()));
}

Failure run(const Launch& launch) {
  GridInParts grid(launch);
  while (!grid.go_on(true)) {
  }
  return grid.failure();
}

}  // namespace xfer::emulator::grid
