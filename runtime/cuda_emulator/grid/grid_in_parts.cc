// Which runner runs a grid, and for how long it keeps it.

#include <memory>
#include <utility>
#include <vector>

#include "grid/launch.h"
#include "grid/runner.h"
#include "grid/warp_runner.h"

namespace xfer::emulator::grid {
namespace {

/// Runners that run no grid. Their stacks are kept from grid to grid.
std::vector<std::unique_ptr<Runner>>& idle_runners() {
  static auto* const idle = new std::vector<std::unique_ptr<Runner>>;
  return *idle;
}

Runner* take_runner() {
  auto& idle = idle_runners();
  if (idle.empty()) return new Runner;
  Runner* const runner = idle.back().release();
  idle.pop_back();
  return runner;
}

}  // namespace

GridInParts::GridInParts(const Launch& launch) : launch_(launch) {}

GridInParts::~GridInParts() {
  if (runner_ == nullptr) return;
  runner_->give_up();
  idle_runners().emplace_back(runner_);
}

bool GridInParts::go_on(bool patient) {
  if (launch_.warp != nullptr) {
    failure_ = run_warps(launch_);
    return true;
  }
  if (runner_ == nullptr) {
    runner_ = take_runner();
    runner_->start(launch_);
  }
  if (!runner_->go_on(patient)) return false;
  failure_ = runner_->failure();
  idle_runners().emplace_back(std::exchange(runner_, nullptr));
  return true;
}

Failure run(const Launch& launch) {
  GridInParts grid(launch);
  while (!grid.go_on(true)) {
  }
  return grid.failure();
}

}  // namespace xfer::emulator::grid
